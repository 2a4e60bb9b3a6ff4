import { decodeText } from '../../core/files/decode-text.ts';
import { meantQuestion } from '../../core/text/did-you-mean.ts';
import { type Range, wholeFile } from '../../core/outcomes/finding.ts';
import { visibleText } from '../../core/text/visible-text.ts';
import { readYaml, type SourceProblem, type YamlSource } from '../../yaml/read-yaml.ts';
import { childOf, isEmpty, type Span, textOf, type YamlNode } from '../../yaml/yaml-node.ts';
import { type Grid, gridOf } from './grid.ts';
import { columnNames } from './variable.ts';

/** The path of the file that lists a project's shared pipelines (unknowns §3). */
export function sharedPipelinesPath(configFolder = '.platform'): string {
  return `${configFolder}/shared-pipelines.yaml`;
}

export interface SharedParameter {
  readonly name: string;
  /** `TEXT`, `NUMERIC` or `GRID`; other values are kept unchanged. */
  readonly type: string;
  readonly exportAllowed: boolean;
  readonly description: string | undefined;
  readonly default: string | Grid | undefined;
  readonly columns: readonly string[];
  /** The range of its name. */
  readonly range: Range;
}

export interface SharedPipeline {
  /** The pipeline's path in the project, with or without suffix as written. */
  readonly pipeline: string;
  /** Must never change: consumers call `prefix#id` (spec §2.11). */
  readonly id: string;
  readonly displayName: string | undefined;
  readonly description: string | undefined;
  readonly enabled: boolean;
  readonly parameters: readonly SharedParameter[];
  /** Where the entry begins. */
  readonly range: Range;
}

export interface SharedPipelinesFile {
  readonly path: string;
  readonly pipelines: readonly SharedPipeline[];
  readonly problems: readonly SourceProblem[];
}

/** The shared pipelines that a project publishes itself. Its own pipelines may call them too. */
export interface OwnSharedPipelines {
  /** `sharedPipelineIdPrefix` (spec §2.11). */
  readonly prefix: string;
  /** The path of each enabled pipeline as written, by its id. */
  readonly pipelines: ReadonlyMap<string, string>;
}

/** The shared pipelines of the project with this shared-pipelines file. */
export function ownSharedPipelines(prefix: string, { pipelines }: SharedPipelinesFile): OwnSharedPipelines {
  const enabled = pipelines.filter((pipeline) => pipeline.enabled);
  return { prefix, pipelines: new Map(enabled.map(({ id, pipeline }) => [id, pipeline])) };
}

/**
 * Parses the shared-pipelines file. Never throws. Problems are bytes that are not text, a wrong `type`, an entry without
 * `pipeline` or `id`, a duplicate id, an `enabled` that is neither true nor false, and a key that is almost `enabled`. An
 * entry without `enabled` counts as enabled.
 */
export function readSharedPipelines(path: string, content: string | Uint8Array): SharedPipelinesFile {
  const { text, fault } = typeof content === 'string' ? { text: content } : decodeText(content);
  if (fault !== undefined) {
    const { line, column, reason } = fault;
    const message = `The file cannot be read: ${reason}`;
    const problem = { file: path, message, line, column, endLine: line, endColumn: column };
    return { path, pipelines: [], problems: [problem] };
  }
  const source = readYaml(text, { file: path });
  const problems: SourceProblem[] = [...source.problems];
  const refuse = (message: string, range: Range | undefined) => {
    problems.push({ file: path, message, ...(range ?? wholeFile) });
  };
  if (problems.length > 0) return { path, pipelines: [], problems };
  const type = childOf(source.root, 'type');
  if (!isEmpty(type) && textOf(type) !== 'shared-pipelines-config') {
    refuse('"type" of this file must be "shared-pipelines-config"', source.rangeOf(['type']));
  }
  const list = childOf(source.root, 'pipelines');
  if (list?.kind !== 'list' && !isEmpty(list))
    refuse('"pipelines" must be a list', source.keyRangeOf(['pipelines']));
  if (source.root?.kind !== 'map') refuse('The file must be a map with a list "pipelines"', undefined);
  const pipelines = new Map<string, SharedPipeline>();
  for (const node of list?.kind === 'list' ? list.items : []) {
    const entry = readEntry(node, source);
    if (entry === undefined)
      refuse('A shared pipeline must have "pipeline" and "id"', source.toRange(startOf(node)));
    else if (pipelines.has(entry.id)) refuse(`The id "${entry.id}" appears twice`, entry.range);
    else pipelines.set(entry.id, entry);
    for (const { message, span } of enabledProblems(node)) refuse(message, source.toRange(span));
  }
  return { path, pipelines: [...pipelines.values()], problems };
}

/** Problems that would enable an entry against its author's intention. */
function enabledProblems(node: YamlNode): readonly { readonly message: string; readonly span: Span }[] {
  if (node.kind !== 'map') return [];
  return [...node.entries].flatMap(([name, { key, value }]) => {
    if (name === 'enabled')
      return /^(?:true|false)$/i.test(textOf(value) ?? '')
        ? []
        : [{ message: '"enabled" must be true or false', span: isEmpty(value) ? key : startOf(value) }];
    if (knownKeys.has(name)) return [];
    const question = meantQuestion(name.toLowerCase(), ['enabled']);
    return question === undefined
      ? []
      : [{ message: `There is no key "${visibleText(name)}"; ${question}`, span: key }];
  });
}

const knownKeys = new Set(['pipeline', 'displayName', 'id', 'description', 'enabled', 'parameters']);

function readEntry(node: YamlNode, source: YamlSource): SharedPipeline | undefined {
  const pipeline = textOf(childOf(node, 'pipeline')) ?? '';
  const id = textOf(childOf(node, 'id')) ?? '';
  if (node.kind !== 'map' || pipeline === '' || id === '') return undefined;
  return {
    pipeline,
    id,
    displayName: textOf(childOf(node, 'displayName')),
    description: textOf(childOf(node, 'description')),
    enabled: textOf(childOf(node, 'enabled'))?.toLowerCase() !== 'false',
    parameters: readParameters(childOf(node, 'parameters'), source),
    range: source.toRange(startOf(node)),
  };
}

function readParameters(node: YamlNode | undefined, source: YamlSource): readonly SharedParameter[] {
  if (node?.kind !== 'map') return [];
  return [...node.entries].map(([name, { key, value }]) => {
    const defaultValue = childOf(value, 'default');
    return {
      name,
      type: textOf(childOf(value, 'type')) ?? 'TEXT',
      exportAllowed: textOf(childOf(value, 'exportAllowed'))?.toLowerCase() === 'true',
      description: textOf(childOf(value, 'description')),
      default: defaultValue?.kind === 'list' ? gridOf(defaultValue) : textOf(defaultValue),
      columns: columnNames(childOf(value, 'columns')),
      range: source.toRange(key),
    };
  });
}

/** The first key of a map, because the range of the whole map covers many lines. */
function startOf(node: YamlNode): Span {
  const [first] = node.kind === 'map' ? node.entries.values() : [];
  return first?.key ?? node;
}
