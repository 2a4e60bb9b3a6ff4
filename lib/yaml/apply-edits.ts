import type { Edit } from '../core/finding.ts';
import { LineIndex } from './text-position.ts';

export interface EditedText {
  readonly text: string;
  /** The applied edits. An edit that overlaps an earlier one is not applied. */
  readonly made: readonly Edit[];
}

/** Applies edits to a text; every other character stays unchanged. */
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
