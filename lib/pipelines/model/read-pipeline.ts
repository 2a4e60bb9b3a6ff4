import { type DecodedText, decodeText, type TextFault } from '../../core/files/decode-text.ts';
import type { Range } from '../../core/outcomes/finding.ts';
import { wholeFile } from '../../core/outcomes/finding.ts';
import { readYaml, type SourceProblem, type YamlSource } from '../../yaml/read-yaml.ts';
import { childOf, isEmpty, textOf, type YamlNode } from '../../yaml/yaml-node.ts';
import { type Component, readComponent } from './component.ts';
import { kindOf, type PipelineKind, pipelineKinds } from './pipeline-kind.ts';
import { readVariable, type Variable } from './variable.ts';

/** A parsed pipeline file. Names keep the order and the spelling of the file. */
export interface PipelineDocument {
  readonly path: string;
  readonly kind: PipelineKind;
  readonly components: ReadonlyMap<string, Component>;
  readonly variables: ReadonlyMap<string, Variable>;
  /** Why the file is not a valid pipeline; with any problem, the other fields are not reliable. */
  readonly problems: readonly SourceProblem[];
  /** Why the bytes of the file are not text; `problems` has it too. */
  readonly fault?: TextFault;
  /** The range of findings about the whole file: `components:`, else `pipeline:`, else line 1 (unknowns §4). */
  readonly range: Range;
  readonly source: YamlSource;
}

/**
 * The maximum size of a pipeline file in bytes. The largest real file has 82 KB; parsing 50 MB would take minutes
 * and all of the memory.
 */
export const maxPipelineBytes = 4 * 1024 * 1024;

const tooLarge = 'The file is larger than 4 MiB, the limit for a pipeline';

/**
 * Parses a pipeline file. Never throws: `problems` lists what makes it unreadable. A file without a pipeline's suffix
 * counts as an orchestration; check `kindOf` first.
 */
export function readPipeline(path: string, text: string): PipelineDocument {
  // A UTF-16 unit takes at most three bytes in UTF-8.
  if (text.length * 3 > maxPipelineBytes && Buffer.byteLength(text) > maxPipelineBytes)
    return unreadPipeline(path, tooLarge);
  return documentOf(path, readYaml(text, { file: path }));
}

/** Parses the bytes of a pipeline file, or what they were decoded to. Bytes that are not text are a problem of the document. */
export function decodePipeline(path: string, content: Uint8Array | DecodedText): PipelineDocument {
  const { text, fault } = content instanceof Uint8Array ? decodeText(content) : content;
  if (fault === undefined) return readPipeline(path, text);
  const { line, column, reason } = fault;
  const place = { line, column, endLine: line, endColumn: column };
  return { ...unreadPipeline(path, `The file cannot be read: ${reason}`, place), fault };
}

/** The document for a pipeline file whose text could not be read or is too large. */
export function unreadPipeline(
  path: string,
  reason: string = tooLarge,
  place: Range = wholeFile,
): PipelineDocument {
  const problem = { file: path, message: reason, ...place };
  return { ...documentOf(path, readYaml('', { file: path })), range: wholeFile, problems: [problem] };
}

function documentOf(path: string, source: YamlSource): PipelineDocument {
  const pipeline = childOf(source.root, 'pipeline');
  const components = childOf(pipeline, 'components');
  const variables = childOf(pipeline, 'variables');
  return {
    path,
    kind: kindOf(path) ?? 'orchestration',
    components: readEntries(components, (name, entry) => readComponent(name, entry, source)),
    variables: readEntries(variables, (name, entry) => readVariable(name, entry, source)),
    problems:
      source.problems.length > 0
        ? source.problems
        : [...formProblems(source, pipeline, components), ...headProblems(source)],
    get range() {
      return source.keyRangeOf(['pipeline', 'components']) ?? source.keyRangeOf(['pipeline']) ?? wholeFile;
    },
    source,
  };
}

function readEntries<Item>(
  node: YamlNode | undefined,
  read: (name: string, entry: { key: { start: number; end: number }; value: YamlNode }) => Item,
): ReadonlyMap<string, Item> {
  const items = new Map<string, Item>();
  if (node?.kind === 'map') for (const [name, entry] of node.entries) items.set(name, read(name, entry));
  return items;
}

function formProblems(
  source: YamlSource,
  pipeline: YamlNode | undefined,
  components: YamlNode | undefined,
): readonly SourceProblem[] {
  const problem = (message: string, range: Range | undefined) => [
    { file: source.file, message, ...(range ?? wholeFile) },
  ];
  if (pipeline?.kind !== 'map') {
    return problem(
      'A pipeline file needs the key "pipeline" with the pipeline as a map below it',
      source.keyRangeOf(['pipeline']),
    );
  }
  if (components?.kind !== 'map' && !isEmpty(components)) {
    return problem(
      '"components" must be a map from component names to components',
      source.keyRangeOf(['pipeline', 'components']),
    );
  }
  return [];
}

/**
 * What is wrong with `type` and `version`. Neither is required: real files have a null version (unknowns §5). Either
 * type is valid in each file, because the suffix decides the kind (unknowns §4).
 */
function headProblems(source: YamlSource): readonly SourceProblem[] {
  const allowed = { type: pipelineKinds, version: ['1.0'] };
  return Object.entries(allowed).flatMap(([key, values]) => {
    const node = childOf(source.root, key);
    const text = textOf(node);
    if (isEmpty(node) || values.some((value) => value === text)) return [];
    const quoted = values.map((value) => `"${value}"`).join(' or ');
    const message = `\`${key}\` must be ${quoted}, not ${text === undefined ? 'a list or a map' : `"${text}"`}`;
    return [{ file: source.file, message, ...(source.rangeOf([key]) ?? wholeFile) }];
  });
}
