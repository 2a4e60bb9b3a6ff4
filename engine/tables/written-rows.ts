import type { Span, YamlNode } from '../../lib/yaml/yaml-node.ts';
import type { Place } from '../core/refusal.ts';

/** A name or text from a file, with its position there. */
export interface Located {
  readonly text: string;
  readonly place: Place;
}

/** The cells of a row, by the names of their columns. */
export interface Cells {
  get(column: string): YamlNode | undefined;
  has(column: string): boolean;
  keys(): Iterable<string>;
}

/** A row as a person wrote it, in a file with tables or in a file that it refers to. */
export interface WrittenRow {
  readonly cells: Cells;
  readonly place: Place;
  /** The position of a cell; the position of the row if the cell is left out. */
  placeOf(column: string): Place;
}

export interface WrittenRows {
  /** In the order of their first appearance; a CSV file has columns also without rows. */
  readonly columns: readonly string[];
  readonly rows: readonly WrittenRow[];
  /** DuckDB's types of the columns, if the file has types, as Parquet does. */
  readonly types?: ReadonlyMap<string, string>;
  /** Whether the file has no types, as CSV: a column of numbers and texts is a column of texts. */
  readonly isUntyped: boolean;
}

/** The type of a column as a person wrote it. */
export interface WrittenColumn {
  readonly name: string;
  readonly type: string;
  readonly place: Place;
}

/** The rows and types that a person wrote for one table. */
export interface WrittenTable {
  readonly name: Located;
  readonly columns: readonly WrittenColumn[];
  readonly content: WrittenRows;
}

/** Gives the position of a node in its file. */
export type PlaceOf = (span: Span) => Place;
