import type { Edit } from '../core/finding.ts';
import { LineIndex } from './text-position.ts';

export interface EditedText {
  readonly text: string;
  /** The edits that were made. One that overlaps an earlier one is left for the next round. */
  readonly made: readonly Edit[];
}

/** Makes edits to a text; every character outside of them stays as it is. */
export function applyEdits(text: string, edits: readonly Edit[]): EditedText {
  const lines = new LineIndex(text);
  const placed = edits
    .map((edit) => ({
      edit,
      start: lines.offset(edit),
      end: lines.offset({ line: edit.endLine, column: edit.endColumn }),
    }))
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
  const made: Edit[] = [];
  let [result, at] = ['', 0];
  for (const { edit, start, end } of placed) {
    if (start < at || end > text.length) continue;
    result += text.slice(at, start) + edit.text;
    at = end;
    made.push(edit);
  }
  return { text: result + text.slice(at), made };
}
