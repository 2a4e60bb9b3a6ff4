/** How a warehouse reads SQL: identifiers folded to upper case (`WAREHOUSE_ONE`) or to lower case (`WAREHOUSE_TWO`). */
export type WarehouseKind = 'WAREHOUSE_ONE' | 'WAREHOUSE_TWO';

/** The type of a column or an expression in the warehouse. */
export type SqlType =
  | { readonly name: 'NUMBER'; readonly precision: number; readonly scale: number }
  /** Whole numbers of `WAREHOUSE_TWO`; `WAREHOUSE_ONE` has NUMBER(38,0) for them. */
  | { readonly name: 'SMALLINT' | 'INTEGER' | 'BIGINT' }
  | { readonly name: 'FLOAT' }
  /** `length` in characters (`WAREHOUSE_TWO`: in bytes); undefined: no limit. */
  | { readonly name: 'VARCHAR'; readonly length: number | undefined }
  | { readonly name: 'BOOLEAN' | 'DATE' | 'TIME' | 'TIMESTAMP' | 'BINARY' }
  /**
   * `WAREHOUSE_ONE`: its values have offsets, which the engine does not keep. `isUtc`: all offsets are 0.
   * `isLocal`: a TIMESTAMP_LTZ, whose offsets are 0 because the time zone of a session is UTC.
   */
  | { readonly name: 'TIMESTAMP_TZ'; readonly isUtc?: true; readonly isLocal?: true }
  /**
   * Semi-structured: stored as JSON. `mayHaveFloat`: a number in it may be a FLOAT, whose type and text the warehouse
   * keeps, but JSON does not. `shape`: of `WAREHOUSE_ONE`, the types ARRAY and OBJECT, which have such values and NULL only.
   */
  | { readonly name: 'VARIANT'; readonly mayHaveFloat?: true; readonly shape?: 'ARRAY' | 'OBJECT' }
  /** The type of a bare NULL. */
  | { readonly name: 'NULL' };

export type SqlTypeName = SqlType['name'];

/**
 * Whether exactly one of two types is BOOLEAN, so that a column of one type cannot have a default of the other. In
 * `WAREHOUSE_TWO`, a text literal has no type yet: it takes the type of the column.
 */
export function differsInTruth(
  value: { readonly type: SqlType; readonly text?: string },
  column: SqlType,
  kind: WarehouseKind,
): boolean {
  if (value.type.name === 'NULL' || (kind === 'WAREHOUSE_TWO' && value.text !== undefined)) return false;
  return (value.type.name === 'BOOLEAN') !== (column.name === 'BOOLEAN');
}
