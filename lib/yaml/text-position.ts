import type { Range } from '../core/outcomes/finding.ts';

/** A position in a text. Line and column count from 1, columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Converts offsets of a text to lines and columns; lines end with LF, CRLF or a lone CR, as in YAML. A byte order
 * mark has no column, because editors do not show it.
 */
export class LineIndex {
  readonly #starts: number[];
  readonly #length: number;

  constructor(text: string) {
    this.#length = text.length;
    this.#starts = [text.charCodeAt(0) === 0xfeff ? 1 : 0];
    for (let i = 0; i < text.length; i += 1) {
      const unit = text.charCodeAt(i);
      if (unit === 10 || (unit === 13 && text.charCodeAt(i + 1) !== 10)) this.#starts.push(i + 1);
    }
  }

  at(offset: number): Position {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: Math.max(offset - (this.#starts[low] ?? 0), 0) + 1 };
  }

  /** The offset of a position; the end of the text for a later position. */
  offset({ line, column }: Position): number {
    return (this.#starts[line - 1] ?? this.#length) + column - 1;
  }

  /** The range from `start` to `end` (exclusive). */
  range(start: number, end: number): Range {
    const from = this.at(start);
    const to = this.at(Math.max(start, end));
    return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
  }
}

/** The end of a span without trailing spaces and line ends, which the parser counts as part of a block. */
export function withoutEndBlanks(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && isBlank(text.charCodeAt(last - 1))) last -= 1;
  return last;
}

function isBlank(unit: number): boolean {
  return unit === 10 || unit === 13 || unit === 32 || unit === 9;
}
