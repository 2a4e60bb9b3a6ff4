import { type Edit, type Range, wholeFile } from '../../lib/core/outcomes/finding.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import {
  type ComponentReference,
  componentReferences,
} from '../../lib/pipelines/model/component-references.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import { type PipelineDocument, readPipeline } from '../../lib/pipelines/model/read-pipeline.ts';
import { renameIn } from '../../lib/pipelines/model/rename-in.ts';
import type { At } from './find-definition.ts';

/** The name of a component at a position. */
export interface NamedComponent {
  readonly name: string;
  readonly range: Range;
}

/** The component whose name is at a position of a pipeline file; undefined if the text there is something else. */
export function componentAt({ file, text, offset }: At): NamedComponent | undefined {
  if (kindOf(file) === undefined) return undefined;
  const document = readPipeline(file, text);
  const reference = referenceAt(document, offset);
  if (reference === undefined || !document.components.has(reference.name)) return undefined;
  return { name: reference.name, range: document.source.toRange(innerSpan(text, reference)) };
}

/**
 * The edits that rename the component at a position, at every place of the file that names it. Throws Failure
 * 'usage' if it cannot be renamed safely.
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
  const edits = renameIn(document, reference.name, newName);
  if ('message' in edits)
    throw refusal(at, edits.place ?? document.source.toRange(reference), edits.message, edits.hint);
  return edits;
}

function referenceAt(document: PipelineDocument, offset: number): ComponentReference | undefined {
  return componentReferences(document).find(
    ({ start, end, form }) => form !== 'hidden' && start <= offset && offset <= end,
  );
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
