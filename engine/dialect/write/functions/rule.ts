import type { WarehouseKind } from '../../../core/sql-type.ts';
import { asFloat, asNumber, isWithin, wholeNumber, within } from '../casts/as-number.ts';
import { expectText } from '../casts/convert.ts';
import type { Call } from '../../parse/tree.ts';
import type { Typed } from '../sql/typed.ts';
import { refusal, type Writing } from '../sql/writing.ts';

/** A call of a function, with the SQL and the types of its arguments. */
export interface TypedCall {
  readonly parsed: Call;
  readonly values: readonly Typed[];
  /** The position of the call in its source. */
  readonly at: number;
  readonly writing: Writing;
}

/** Describes how a function is translated. A rule refuses arguments by returning undefined. */
export interface FunctionRule {
  /** The minimum and the maximum number of arguments that the engine supports. The maximum is Infinity if there is none. */
  readonly arguments: readonly [number, number];
  /**
   * The minimum and the maximum number of arguments that each kind of warehouse accepts, if they differ from
   * `arguments`.
   */
  readonly warehouseArguments?: Partial<Record<WarehouseKind, readonly [number, number]>>;
  readonly only?: WarehouseKind;
  /** In the SQL of such a function, the character `\u0001` marks the position for OVER. */
  readonly kind?: 'aggregate' | 'window';
  readonly hasOrder?: true;
  /** Whether the function accepts `*`. With `columns`, it also accepts `table.*` and excluded columns. */
  readonly takesStar?: 'bare' | 'columns';
  readonly mayIgnoreNulls?: true;
  /** True if the function's OVER can have only PARTITION BY. */
  readonly hasNoOrderInOver?: true;
  /** True if the result depends on the types and texts of values inside semi-structured data. */
  readonly showsTypes?: true;
  /**
   * Set if `WAREHOUSE_TWO` has the function only in queries that read no table. The value is the function to use
   * instead, or empty if there is none.
   */
  readonly withoutTable?: string;
  /** True if `WAREHOUSE_TWO` has the function only in queries that read a table. */
  readonly needsTable?: true;
  /** True if the function reads the whole partition when OVER has no frame. */
  readonly isWholeFrame?: true;
  readonly write?: (call: TypedCall) => Typed | undefined;
  /** Translates the call, for rules that need the arguments as they are parsed. */
  readonly writeCall?: (call: Call, writing: Writing) => Typed;
}

export type Rules = Readonly<Record<string, FunctionRule>>;

/** A character in SQL that marks the position at which OVER is inserted. */
export const OVER = '\u0001';

export function text(call: TypedCall, index: number): string {
  const value = call.values[index];
  return value ? expectText(value, call.at, call.writing).sql : 'NULL';
}

export function number(call: TypedCall, index: number): Typed {
  const value = call.values[index];
  if (value === undefined) throw new Error('no such argument');
  return asNumber(value, call.at, call.writing);
}

/** Converts a number to a FLOAT. */
export function float(call: TypedCall, index: number): string {
  const value = call.values[index];
  if (value === undefined) throw new Error('no such argument');
  return `CAST(${asFloat(value, call.at, call.writing).sql} AS DOUBLE)`;
}

/** The value of an argument that is a whole number written as a literal. Undefined for any other argument. */
export function literal(call: TypedCall, index: number): number | undefined {
  const digits = call.values[index]?.number;
  return digits !== undefined && /^-?\d{1,9}$/.test(digits) ? Number(digits) : undefined;
}

/** A whole number from `-most` to `most`. No page says what other numbers give: they are refused when they occur. */
export function integer(call: TypedCall, index: number, most = MAX_INTEGER): string {
  const value = call.values[index];
  if (value === undefined) throw new Error('no such argument');
  const whole = wholeNumber(value, call.at, call.writing);
  return isWithin(whole, most)
    ? whole.sql
    : `CAST(${within(whole, most, `an argument of ${call.parsed.name}`, call.writing)} AS BIGINT)`;
}

/** The largest whole numbers have 18 digits here. */
const MAX_INTEGER = 10 ** 18;

/**
 * Refuses a number format. The documentation does not describe all blanks, signs and roundings with which a warehouse
 * reads and writes such formats.
 */
export function refuseFormat(call: TypedCall, hint: string): never {
  throw refusal(`the number format of ${call.parsed.name}`, call.at, call.writing, hint);
}
