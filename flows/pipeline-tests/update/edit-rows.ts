import type { YamlSource } from '../../../lib/yaml/read-yaml.ts';
import {
  isShared,
  type Span,
  type YamlList,
  type YamlMap,
  type YamlNode,
} from '../../../lib/yaml/yaml-node.ts';

/** What happens to one row of a list. `cells`: the new texts of values that differ, by key. */
export type RowStep =
  | { readonly kind: 'keep' }
  | { readonly kind: 'remove' }
  | { readonly kind: 'change'; readonly cells: ReadonlyMap<string, string>; readonly text: string };

/** How a list of rows changes. */
export interface RowEdits {
  /** One for each row, in their order. */
  readonly steps: readonly RowStep[];
  /** The texts of rows to add at the end. */
  readonly added: readonly string[];
}

/** The new text of a list up to `end`; or the offset of a comment that the edit would remove. */
export type EditedRows = { readonly text: string; readonly end: number } | { readonly lost: number };

/**
 * Whether a list of rows must be edited row by row to keep its comments, because one is among its rows or would
 * move to an added row.
 */
export function hasComments(list: YamlList, { text }: YamlSource, { added }: RowEdits): boolean {
  if (list.alias !== undefined) return false;
  return (
    commentIn(list, list, text) !== undefined ||
    (added.length > 0 && /^\s*#/.test(text.slice(list.end, lineEnd(list.end, text))))
  );
}

/** Whether only some values of a row change, so that the rest of the row keeps its text and comments. */
export function canEditCells(row: YamlNode | undefined, cells: ReadonlyMap<string, string>): row is YamlMap {
  if (row?.kind !== 'map' || isShared(row)) return false;
  return [...cells.keys()].every((name) => {
    const value = row.entries.get(name)?.value;
    return value?.kind === 'scalar' && !isShared(value) && value.end > value.start;
  });
}

/** Edits the rows of a list in place, so that comments stay with their rows. */
export function editRows(list: YamlList, source: YamlSource, { steps, added }: RowEdits): EditedRows {
  const { text } = source;
  const edits: (Span & { readonly text: string })[] = [];
  const isBlock = text[list.start] === '-';
  const isMoved = added.length > 0 || steps.some(({ kind }) => kind === 'remove');
  if (!isBlock && isMoved) return { lost: commentIn(list, list, text) ?? list.end };
  for (const [index, step] of steps.entries()) {
    const row = list.items[index];
    if (row === undefined || step.kind === 'keep') continue;
    const parts =
      step.kind === 'remove'
        ? [{ ...rowLines(list, index, text), text: '' }]
        : canEditCells(row, step.cells)
          ? Array.from(step.cells, ([name, cell]) => ({
              ...spanOf(row.entries.get(name)?.value ?? row),
              text: cell,
            }))
          : [{ ...spanOf(row), text: step.text }];
    for (const part of parts) {
      const lost = commentIn(part, row, text);
      if (lost !== undefined) return { lost };
    }
    edits.push(...parts);
  }
  if (steps.every(({ kind }) => kind === 'remove') && added.length === 0)
    return { lost: commentIn(list, list, text) ?? list.end };
  const end = added.length === 0 ? list.end : lineEnd(list.end, text);
  const newLine = `${text.includes('\r\n') ? '\r\n' : '\n'}${' '.repeat(source.toRange(list).column - 1)}`;
  const rows = added.map((row) => `${newLine}- ${row}`).join('');
  let [result, at] = ['', list.start];
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, edit.start) + edit.text;
    at = Math.max(at, edit.end);
  }
  return { text: result + text.slice(at, end) + rows, end };
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}

/** The lines of a row of a block list, with the comment after it. The first one begins at its dash and ends within the next line, the others begin at the end of the line before. */
function rowLines(list: YamlList, index: number, text: string): Span {
  const row = list.items[index] ?? list;
  const next = list.items[index + 1];
  const dash = index === 0 ? list.start : dashOf(row, list, text);
  const end = next === undefined ? row.end : lineEnd(row.end, text);
  if (index > 0) return { start: beforeLine(dash, text), end };
  const line = Math.min(lineEnd(end, text) + (text[end] === '\r' ? 2 : 1), text.length);
  const indentation = /^ */.exec(text.slice(line, line + dash - lineStart(dash, text)))?.[0].length ?? 0;
  return { start: dash, end: next === undefined ? end : line + indentation };
}

/** The dash before a row. Every dash of a list is in the same column. */
function dashOf(row: Span, list: YamlList, text: string): number {
  const column = list.start - lineStart(list.start, text);
  for (let start = lineStart(row.start, text); ; start = lineStart(start - 1, text))
    if (
      start <= list.start ||
      (text[start + column] === '-' && text.slice(start, start + column).trim() === '')
    )
      return start + column;
}

function lineStart(at: number, text: string): number {
  return at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** Without the characters that end the line. */
function lineEnd(at: number, text: string): number {
  const end = text.indexOf('\n', at);
  if (end < 0) return text.length;
  return end > at && text[end - 1] === '\r' ? end - 1 : end;
}

/** The end of the line before the one of an offset. */
function beforeLine(at: number, text: string): number {
  const start = lineStart(at, text) - 1;
  return text[start - 1] === '\r' ? start - 1 : start;
}

/** The first comment within a span, outside of the scalars of a value. */
function commentIn({ start, end }: Span, value: YamlNode, text: string): number | undefined {
  const scalars = scalarsOf(value);
  for (let at = text.indexOf('#', start); at >= 0 && at < end; at = text.indexOf('#', at + 1)) {
    const scalar = scalars.find((each) => each.start <= at && at < each.end);
    if (scalar === undefined ? /^[\s,\]}]?$/.test(text[at - 1] ?? '') : isInHeader(at, scalar, text))
      return at;
  }
  return undefined;
}

/** Whether an offset is in the first line of a block text, after its sign. */
function isInHeader(at: number, { start }: Span, text: string): boolean {
  return /^[|>][+\-\d]*[ \t]+#/.test(text.slice(start, at + 1)) && at < lineEnd(start, text);
}

function scalarsOf(node: YamlNode): readonly Span[] {
  if (node.alias !== undefined || node.kind === 'scalar') return [node];
  if (node.kind === 'list') return node.items.flatMap(scalarsOf);
  return [...node.entries.values()].flatMap(({ key, value }) => [key, ...scalarsOf(value)]);
}
