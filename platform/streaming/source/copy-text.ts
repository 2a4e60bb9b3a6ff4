import type { Cell, Tuple } from './messages.ts';

/** Decodes the text format of COPY. Chunks may end anywhere. */
export interface CopyDecoder {
  /** The rows that end in the chunk. */
  decode(chunk: Buffer): Tuple[];
  /** Whether the bytes so far end with a row. */
  readonly isComplete: boolean;
}

const newline = 0x0a;

/** `columns`: the number of columns in a row. A row without columns is an empty line. */
export function createCopyDecoder(columns: number): CopyDecoder {
  // Parts of a row that has not ended: a value may be a gigabyte, which must not be copied for each chunk.
  let parts: Buffer[] = [];
  return {
    decode(chunk) {
      // A line feed inside a value is written as a backslash and `n`.
      const end = chunk.lastIndexOf(newline);
      if (end < 0) {
        if (chunk.length > 0) parts.push(chunk);
        return [];
      }
      const whole = chunk.subarray(0, end);
      const text = parts.length === 0 ? whole.toString() : Buffer.concat([...parts, whole]).toString();
      parts = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : [];
      return text.split('\n').map(columns === 0 ? () => [] : rowOf);
    },
    get isComplete() {
      return parts.length === 0;
    },
  };
}

function rowOf(line: string): Tuple {
  const cells: Cell[] = line.split('\t');
  if (!line.includes('\\')) return cells;
  for (let i = 0; i < cells.length; i += 1) {
    const cell = cells[i] as string;
    if (cell === '\\N') cells[i] = null;
    else if (cell.includes('\\')) cells[i] = cell.replaceAll(/\\(.)/gu, unescaped);
  }
  return cells;
}

const letters: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function unescaped(_: string, letter: string): string {
  return letters[letter] ?? letter;
}
