import type { SqlType } from '../../../core/sql-type.ts';

export { describeType as typeText, duckdbType as duckType } from '../../../duckdb/catalog/column-types.ts';
export { quoteName, quoteText } from '../../../duckdb/catalog/physical-name.ts';

/**
 * An expression in DuckDB's SQL with its type in the warehouse. The SQL can be put next to any operator without
 * parentheses.
 */
export interface Typed {
  readonly sql: string;
  readonly type: SqlType;
  /** The value of the text, if the expression is a text literal. */
  readonly text?: string;
  /** The digits of the number, if the expression is a number literal. */
  readonly number?: string;
  /** True if the expression is a 32-bit or 64-bit integer in DuckDB although it is a decimal in the warehouse. */
  readonly isInteger?: true;
  /** For a calculated FLOAT: the SQL without the check that the result is finite. */
  readonly raw?: string;
  /** True if the text has only letters whose upper and lower case forms are single letters. */
  readonly hasPlainLetters?: true;
  /** For a text that is joined from other texts: those texts, in their order. */
  readonly parts?: readonly TextPart[];
}

export interface TextPart {
  readonly sql: string;
  /** The maximum number of bytes of the text. Undefined if nothing limits it. */
  readonly bytes: number | undefined;
  /** True if the text is the same in all rows. */
  readonly isFixed?: true;
}

export const TEXT: SqlType = { name: 'VARCHAR', length: undefined };
export const FLOAT: SqlType = { name: 'FLOAT' };
export const BOOLEAN: SqlType = { name: 'BOOLEAN' };
export const DATE: SqlType = { name: 'DATE' };
export const TIMESTAMP: SqlType = { name: 'TIMESTAMP' };
/** The type of a timestamp whose time zone offset is 0. */
export const UTC_MOMENT: SqlType = { name: 'TIMESTAMP_TZ', isUtc: true };
/** The type TIMESTAMP_LTZ. */
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
