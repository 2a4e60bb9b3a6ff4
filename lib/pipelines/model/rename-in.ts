import type { Edit, Range } from '../../core/outcomes/finding.ts';
import { applyEdits } from '../../yaml/apply-edits.ts';
import { scalarEditor } from '../../yaml/edit-scalar.ts';
import { keepsOtherValues } from '../../yaml/keeps-other-values.ts';
import { type ComponentReference, componentReferences } from './component-references.ts';
import { type PipelineDocument, readPipeline } from './read-pipeline.ts';

/** The reason why a component cannot be renamed safely. */
export interface RenameRefusal {
  readonly message: string;
  readonly hint?: string;
  /** The place that prevents the renaming, if it is not the name itself. */
  readonly place?: Range;
}

/** Longer names are a mistake, and every reference repeats them. */
const maxNameLength = 500;

/** The edits that rename a component of a valid pipeline, at every place of the file that names it. */
export function renameIn(
  document: PipelineDocument,
  name: string,
  newName: string,
): readonly Edit[] | RenameRefusal {
  if (newName === name) return [];
  const unusable = unusableName(newName, document);
  if (unusable !== undefined) return { message: unusable, hint: 'Choose another name.' };
  const made: Edit[] = [];
  for (const reference of componentReferences(document)) {
    if (reference.name !== name) continue;
    const edit = editOf(document, reference, newName);
    if (edit === undefined) {
      return {
        message: `"${name}" is written as an alias, with an anchor, with escapes or over several lines here.`,
        hint: 'Rename the component by hand.',
        place: document.source.toRange(reference),
      };
    }
    made.push(edit);
  }
  const renamed = readPipeline(document.path, applyEdits(document.source.text, made).text);
  return isRenamed(document, renamed, name, newName) && keepsOtherValues(document.source, made)
    ? made
    : { message: `Renaming "${name}" would change another part of the file.` };
}

function unusableName(name: string, { components }: PipelineDocument): string | undefined {
  if (name.trim() === '') return 'A component needs a name.';
  if (name.length > maxNameLength) return `A name has at most ${maxNameLength} characters.`;
  if (/\p{Cc}|[\u2028\u2029]/u.test(name)) return 'A name is one line of printable characters.';
  if (components.has(name)) return `The pipeline has another component "${name}".`;
  return undefined;
}

function editOf({ source }: PipelineDocument, reference: ComponentReference, name: string): Edit | undefined {
  if (reference.form === 'hidden') return undefined;
  if (reference.form === 'part') return { ...source.toRange(reference), text: name };
  return scalarEditor(source, reference)(name);
}

/** Whether two readings of a file differ by the name of one component only. */
function isRenamed(
  before: PipelineDocument,
  after: PipelineDocument,
  name: string,
  newName: string,
): boolean {
  const expected = componentReferences(before).map((reference) =>
    reference.name === name ? newName : reference.name,
  );
  const actual = componentReferences(after).map((reference) => reference.name);
  return after.problems.length === 0 && JSON.stringify(actual) === JSON.stringify(expected);
}
