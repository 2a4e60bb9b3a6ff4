import { type Edit, type Range, wholeFile } from '../../lib/core/finding.ts';
import { Failure } from '../../lib/core/failure.ts';
import { type ComponentReference, componentReferences } from '../../lib/pipelines/component-references.ts';
import { kindOf } from '../../lib/pipelines/pipeline-kind.ts';
import { type PipelineDocument, readPipeline } from '../../lib/pipelines/read-pipeline.ts';
import { applyEdits } from '../../lib/yaml/apply-edits.ts';
import { scalarEditor } from '../../lib/yaml/edit-scalar.ts';
import type { At } from './find-definition.ts';

/** The name of a component at a position. */
export interface NamedComponent {
  readonly name: string;
  readonly range: Range;
}

/** Longer names are a mistake, and every reference repeats them. */
const maxNameLength = 500;

/** The component whose name is at a position of a pipeline file; undefined for any other text. */
export function componentAt({ file, text, offset }: At): NamedComponent | undefined {
  if (kindOf(file) === undefined) return undefined;
  const document = readPipeline(file, text);
  const found = referenceAt(document, offset);
  if (found === undefined || !document.components.has(found.name)) return undefined;
  return { name: found.name, range: document.source.toRange(innerSpan(text, found)) };
}

/**
 * The edits that rename the component at a position, in all places of the file that name it. Throws Failure 'usage'
 * where it cannot be renamed safely.
 */
export function renameComponent(at: At, newName: string): readonly Edit[] {
  const { file, text, offset } = at;
  const document = readPipeline(file, text);
  const [problem] = document.problems;
  if (problem !== undefined)
    throw refusal(at, problem, `The file is not a valid pipeline: ${problem.message}.`);
  const reference = referenceAt(document, offset);
  if (reference === undefined || !document.components.has(reference.name)) {
    const message = 'There is no component of this pipeline at this position.';
    throw refusal(at, wholeFile, message, 'Place the cursor on the name of a component.');
  }
  const { name } = reference;
  const here = document.source.toRange(reference);
  if (newName === name) return [];
  const unusable = unusableName(newName, document);
  if (unusable !== undefined) throw refusal(at, here, unusable, 'Choose another name.');
  const references = componentReferences(document).filter((one) => one.name === name);
  const edits = references.map((one) => editOf(document, one, newName));
  for (const [index, edit] of edits.entries()) {
    const one = references[index];
    if (edit === undefined && one !== undefined) {
      const message = `"${name}" is written as an alias, with an anchor, with escapes or over several lines here.`;
      throw refusal(at, document.source.toRange(one), message, 'Rename the component by hand.');
    }
  }
  const made = edits.flatMap((edit) => edit ?? []);
  const renamed = readPipeline(file, applyEdits(text, made).text);
  if (!isRenamed(document, renamed, name, newName))
    throw refusal(at, here, `Renaming "${name}" would change another part of the file.`);
  return made;
}

function referenceAt(document: PipelineDocument, offset: number): ComponentReference | undefined {
  return componentReferences(document).find(
    ({ start, end, form }) => form !== 'hidden' && start <= offset && offset <= end,
  );
}

function unusableName(name: string, { components }: PipelineDocument): string | undefined {
  if (name.trim() === '') return 'A component needs a name.';
  if (name.length > maxNameLength) return `A name has at most ${maxNameLength} characters.`;
  if (/\p{Cc}|[\u2028\u2029]/u.test(name)) return 'A name is one line of printable characters.';
  if (components.has(name)) return `The pipeline has another component "${name}".`;
  return undefined;
}

function editOf({ source }: PipelineDocument, one: ComponentReference, name: string): Edit | undefined {
  if (one.form === 'hidden') return undefined;
  if (one.form === 'part') return { ...source.toRange(one), text: name };
  return scalarEditor(source, one)(name);
}

/** Whether two readings of a file differ by the name of one component only. */
function isRenamed(
  before: PipelineDocument,
  after: PipelineDocument,
  name: string,
  newName: string,
): boolean {
  const expected = componentReferences(before).map((one) => (one.name === name ? newName : one.name));
  const found = componentReferences(after).map((one) => one.name);
  return after.problems.length === 0 && JSON.stringify(found) === JSON.stringify(expected);
}

/** Without the quotation marks. */
function innerSpan(text: string, { start, end }: ComponentReference) {
  const isQuoted = /["']/.test(text.charAt(start)) && text.charAt(start) === text.charAt(end - 1);
  return isQuoted ? { start: start + 1, end: end - 1 } : { start, end };
}

function refusal({ file }: At, { line, column }: Range, message: string, hint?: string): Failure {
  return new Failure('usage', {
    message,
    where: { file, line, column },
    hint: hint ?? 'Correct the file first.',
  });
}
