import type { CompletedRows, Value } from '../../../engine/index.ts';
import type { Cell, Tuple } from '../source/messages.ts';

/** The net effect of a list of changes on the rows of one table. */
export interface NetChanges {
  /** Whether all rows from before are removed first. */
  readonly isEmptied: boolean;
  readonly removed: readonly (readonly Value[])[];
  readonly added: readonly (readonly Value[])[];
  readonly completed: readonly CompletedRows[];
}

/** Converts cells to values. */
export interface RowReader {
  /** The places of the key's cells in a tuple; empty: the table has no key, and a row is all its cells. */
  readonly key: readonly number[];
  /** The number of cells in a tuple. */
  readonly width: number;
  /** Reads the cell at a place of a tuple. */
  readonly read: (cell: Cell, place: number) => Value;
  /**
   * The last value of rows that the source has, and of rows that it has deleted; undefined: a row has no such value, and deleted rows are
   * removed.
   */
  readonly deleted: { readonly no: Value; readonly yes: Value } | undefined;
}

interface Row {
  /** The key of the row in the target that has the values of the undefined cells. */
  readonly origin: Tuple;
  readonly cells: Tuple;
  readonly isDeleted: boolean;
}

/**
 * Collects the changes of one table and keeps only the last state of each row, so that a row that changes ten times
 * is written once. Keys are compared as texts, because PostgreSQL writes each in only one way.
 */
export class RowLog {
  readonly #reader: RowReader;
  #isEmptied = false;
  /** By the text of the key; null: the row is removed. */
  readonly #rows = new Map<string, Row | null>();
  /** The keys whose rows the target may have, and that a change has removed or replaced. */
  readonly #touched = new Map<string, Tuple>();
  /** Without a key: how many rows with these cells come in, or go. */
  readonly #counts = new Map<string, { readonly cells: Tuple; count: number }>();

  constructor(reader: RowReader) {
    this.#reader = reader;
  }

  get isEmpty(): boolean {
    return !this.#isEmptied && this.#rows.size === 0 && this.#counts.size === 0;
  }

  insert(after: Tuple): void {
    if (this.#reader.key.length === 0) this.#count(after, 1);
    else {
      const key = this.#keyOf(after);
      const text = textOf(key);
      this.#rows.set(text, { origin: key, cells: after, isDeleted: false });
      // The target has no row with this key, unless as a deleted one.
      if (this.#reader.deleted !== undefined) this.#touched.set(text, key);
    }
  }

  /** @param before undefined where the key stays */
  update(before: Tuple | undefined, after: Tuple): void {
    if (this.#reader.key.length === 0) {
      this.#count(before ?? [], -1);
      this.#count(after, 1);
      return;
    }
    const key = this.#keyOf(after);
    const text = textOf(key);
    const oldKey = before === undefined ? key : this.#keyOf(before);
    const oldText = before === undefined ? text : textOf(oldKey);
    const old = this.#rows.get(oldText);
    const cells = old && after.includes(undefined) ? fill(after, old.cells) : after;
    if (oldText !== text) this.#remove(oldText, oldKey);
    this.#rows.set(text, { origin: old?.origin ?? oldKey, cells, isDeleted: false });
    this.#touched.set(text, key);
  }

  delete(before: Tuple): void {
    if (this.#reader.key.length === 0) this.#count(before, -1);
    else {
      const key = this.#keyOf(before);
      this.#remove(textOf(key), key);
    }
  }

  /** All rows from before are gone. */
  truncate(): void {
    this.#isEmptied = true;
    if (this.#reader.deleted !== undefined) {
      for (const [key, row] of this.#rows) if (row !== null) this.#rows.set(key, { ...row, isDeleted: true });
      return;
    }
    this.#rows.clear();
    this.#touched.clear();
    this.#counts.clear();
  }

  /** What is left to be written, in no order. */
  net(): NetChanges {
    if (this.#reader.key.length === 0)
      return { ...this.#netOfCounts(), isEmptied: this.#isEmptied, completed: [] };
    const { key, read } = this.#reader;
    const removed = [...this.#touched.values()].map((cells) =>
      cells.map((cell, index) => read(cell, key[index] ?? 0)),
    );
    const added: (readonly Value[])[] = [];
    const completed = new Map<
      string,
      { readonly kept: readonly number[]; readonly rows: { origin: Value[]; values: Value[] }[] }
    >();
    for (const row of this.#rows.values()) {
      if (row === null) continue;
      const values = this.#valuesOf(row);
      if (!row.cells.includes(undefined)) {
        added.push(values);
        continue;
      }
      const kept = row.cells.flatMap((cell, place) => (cell === undefined ? [place] : []));
      const group = completed.get(kept.join()) ?? { kept, rows: [] };
      group.rows.push({ origin: row.origin.map((cell, index) => read(cell, key[index] ?? 0)), values });
      completed.set(kept.join(), group);
    }
    return { isEmptied: this.#isEmptied, removed, added, completed: [...completed.values()] };
  }

  #valuesOf({ cells, isDeleted }: Row): Value[] {
    const { read, deleted } = this.#reader;
    const values = cells.map((cell, place) => read(cell, place));
    if (deleted !== undefined) values.push(isDeleted ? deleted.yes : deleted.no);
    return values;
  }

  #netOfCounts(): { readonly removed: Value[][]; readonly added: Value[][] } {
    const removed: Value[][] = [];
    const added: Value[][] = [];
    for (const { cells, count } of this.#counts.values()) {
      const list = count < 0 ? removed : added;
      for (let copy = 0; copy < Math.abs(count); copy += 1)
        list.push(cells.map((cell, place) => this.#reader.read(cell, place)));
    }
    return { removed, added };
  }

  #keyOf(tuple: Tuple): Tuple {
    return this.#reader.key.map((place) => tuple[place]);
  }

  #remove(text: string, key: Tuple): void {
    this.#touched.set(text, key);
    if (this.#reader.deleted === undefined) {
      this.#rows.set(text, null);
      return;
    }
    const last = this.#rows.get(text);
    const cells = last?.cells ?? this.#onlyKey(key);
    this.#rows.set(text, { origin: last?.origin ?? key, cells, isDeleted: true });
  }

  /** A row of which only the key is known: its other values stay. */
  #onlyKey(key: Tuple): Tuple {
    const cells = Array.from<Cell>({ length: this.#reader.width });
    for (const [index, place] of this.#reader.key.entries()) cells[place] = key[index];
    return cells;
  }

  #count(cells: Tuple, by: 1 | -1): void {
    const text = textOf(cells);
    const entry = this.#counts.get(text);
    if (entry === undefined) this.#counts.set(text, { cells, count: by });
    else entry.count += by;
  }
}

/** PostgreSQL's texts have no NUL, so that two different lists never have one text. */
function textOf(cells: Tuple): string {
  const [only] = cells;
  // Most keys have one column.
  if (cells.length === 1) return only ?? '\0\0';
  return cells.map((cell) => cell ?? '\0\0').join('\0,');
}

/** The values that a change left as they were. */
function fill(after: Tuple, old: Tuple): Tuple {
  return after.map((cell, place) => (cell === undefined ? old[place] : cell));
}
