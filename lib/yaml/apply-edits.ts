import type { Edit } from '../core/outcomes/finding.ts';
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

/**
 * Applies groups of edits, each as a whole or not at all. A group that overlaps an earlier group, or inserts at the same
 * place, is not applied. `count` is the number of applied groups, `made` has their edits.
 */
export function applyEditGroups(
  text: string,
  groups: readonly (readonly Edit[])[],
): EditedText & { readonly count: number } {
  const lines = new LineIndex(text);
  const spanOf = (edit: Edit) => ({
    start: lines.offset(edit),
    end: lines.offset({ line: edit.endLine, column: edit.endColumn }),
  });
  const applied: Edit[] = [];
  const spans: ReturnType<typeof spanOf>[] = [];
  let count = 0;
  for (const group of groups) {
    const groupSpans = group.map(spanOf);
    const overlaps = groupSpans.some((a) =>
      spans.some((b) => (a.start < b.end && b.start < a.end) || a.start === b.start),
    );
    if (overlaps) continue;
    applied.push(...group);
    spans.push(...groupSpans);
    count += 1;
  }
  return { ...applyEdits(text, applied), count };
}
