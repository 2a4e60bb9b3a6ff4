/**
 * The kind of a warehouse. Names in SQL without quotes are stored in upper case in `WAREHOUSE_ONE`, and in lower case
 * in `WAREHOUSE_TWO`.
 */
export type WarehouseKind = 'WAREHOUSE_ONE' | 'WAREHOUSE_TWO';

/** The type of a column or an expression in the warehouse. */
export type SqlType =
  | { readonly name: 'NUMBER'; readonly precision: number; readonly scale: number }
  /** The types for whole numbers in `WAREHOUSE_TWO`. `WAREHOUSE_ONE` uses NUMBER(38,0) for whole numbers. */
  | { readonly name: 'SMALLINT' | 'INTEGER' | 'BIGINT' }
  | { readonly name: 'FLOAT' }
  /**
   * `length` is the maximum length in characters, or in bytes in `WAREHOUSE_TWO`. Undefined if there is no maximum.
   */
  | { readonly name: 'VARCHAR'; readonly length: number | undefined }
  | { readonly name: 'BOOLEAN' | 'DATE' | 'TIME' | 'TIMESTAMP' | 'BINARY' }
  /**
   * Only in `WAREHOUSE_ONE`. Its values have time zone offsets, which the engine does not keep. `isUtc`: all offsets
   * are 0. `isLocal`: the type is TIMESTAMP_LTZ, whose offsets are 0 because the time zone of a session is UTC.
   */
  | { readonly name: 'TIMESTAMP_TZ'; readonly isUtc?: true; readonly isLocal?: true }
  /**
   * Semi-structured data, stored as JSON. `mayHaveFloat`: a number in it may be a FLOAT, which the warehouse can tell
   * from other numbers, but JSON cannot. `shape`: the column has the type ARRAY or OBJECT of `WAREHOUSE_ONE`, and
   * contains only arrays or only objects, or NULL.
   */
  | { readonly name: 'VARIANT'; readonly mayHaveFloat?: true; readonly shape?: 'ARRAY' | 'OBJECT' }
  /** The type of a NULL that has no other type. */
  | { readonly name: 'NULL' };

export type SqlTypeName = SqlType['name'];

/**
 * Whether exactly one of two types is BOOLEAN. Then a column of one type cannot have a default value of the other
 * type. A text literal of `WAREHOUSE_TWO` has no type yet: it takes the type of the column.
 */
export function differsInTruth(
  value: { readonly type: SqlType; readonly text?: string },
  column: SqlType,
  kind: WarehouseKind,
): boolean {
  if (value.type.name === 'NULL' || (kind === 'WAREHOUSE_TWO' && value.text !== undefined)) return false;
  return (value.type.name === 'BOOLEAN') !== (column.name === 'BOOLEAN');
}
