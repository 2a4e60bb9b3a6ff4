import type { SqlType } from '../../../core/sql-type.ts';

export { describeType as typeText, duckdbType as duckType } from '../../../duckdb/catalog/column-types.ts';
export { quoteName, quoteText } from '../../../duckdb/catalog/physical-name.ts';

/** An expression in DuckDB's SQL, safe to put next to any operator, with its type in the warehouse. */
export interface Typed {
  readonly sql: string;
  readonly type: SqlType;
  /** The value of a text literal. */
  readonly text?: string;
  /** The digits of a number literal. */
  readonly number?: string;
  /** DuckDB has a 32-bit or 64-bit integer here, though the warehouse has a decimal. */
  readonly isInteger?: true;
  /** For a calculated FLOAT: its SQL without the check that it is finite. */
  readonly raw?: string;
  /** A text whose letters all have a single letter in the other case. */
  readonly hasPlainLetters?: true;
  /** For a text that is joined from others: these, in their order. */
  readonly parts?: readonly TextPart[];
}

export interface TextPart {
  readonly sql: string;
  /** The largest number of bytes that it can have; undefined if nothing limits it. */
  readonly bytes: number | undefined;
  /** The same text in all rows. */
  readonly isFixed?: true;
}

export const TEXT: SqlType = { name: 'VARCHAR', length: undefined };
export const FLOAT: SqlType = { name: 'FLOAT' };
export const BOOLEAN: SqlType = { name: 'BOOLEAN' };
export const DATE: SqlType = { name: 'DATE' };
export const TIMESTAMP: SqlType = { name: 'TIMESTAMP' };
/** A moment whose offset is 0. */
export const UTC_MOMENT: SqlType = { name: 'TIMESTAMP_TZ', isUtc: true };
/** A TIMESTAMP_LTZ. */
export const LOCAL_MOMENT: SqlType = { name: 'TIMESTAMP_TZ', isUtc: true, isLocal: true };
export const VARIANT: SqlType = { name: 'VARIANT' };
export const VARIANT_WITH_FLOAT: SqlType = { name: 'VARIANT', mayHaveFloat: true };
export const WHOLE: SqlType = { name: 'NUMBER', precision: 38, scale: 0 };

export function decimal(precision: number, scale: number): SqlType {
  return { name: 'NUMBER', precision: Math.min(38, precision), scale: Math.min(38, scale) };
}

export function isNumeric(type: SqlType): boolean {
  return digitsOf(type) !== undefined || type.name === 'FLOAT';
}

const WHOLE_DIGITS: Partial<Record<SqlType['name'], number>> = { SMALLINT: 5, INTEGER: 10, BIGINT: 19 };

/** The precision and scale of an exact number. */
export function digitsOf(type: SqlType): { precision: number; scale: number } | undefined {
  if (type.name === 'NUMBER') return { precision: type.precision, scale: type.scale };
  const precision = WHOLE_DIGITS[type.name];
  return precision === undefined ? undefined : { precision, scale: 0 };
}

/** Whether a type is FLOAT, or semi-structured data that may contain one. */
export function mayHaveFloat(type: SqlType): boolean {
  return type.name === 'FLOAT' || (type.name === 'VARIANT' && type.mayHaveFloat === true);
}

export function isDateLike(type: SqlType): boolean {
  return type.name === 'DATE' || type.name === 'TIMESTAMP' || type.name === 'TIMESTAMP_TZ';
}
