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
  /** The position of a cell, or of the row if the row has no such cell. */
  placeOf(column: string): Place;
}

export interface WrittenRows {
  /** The columns in the order in which they first occur. A CSV file has columns even if it has no rows. */
  readonly columns: readonly string[];
  readonly rows: readonly WrittenRow[];
  /** DuckDB's type of each column, if the file contains types, as a Parquet file does. */
  readonly types?: ReadonlyMap<string, string>;
  /**
   * Whether the file contains no types, as a CSV file. Then a column that contains both numbers and texts is a column
   * of texts.
   */
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

/** Returns the position of a node in its file. */
export type PlaceOf = (span: Span) => Place;
