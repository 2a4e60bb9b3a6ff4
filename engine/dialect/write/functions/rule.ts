import type { WarehouseKind } from '../../../core/sql-type.ts';
import { asFloat, asNumber, isWithin, wholeNumber, within } from '../casts/as-number.ts';
import { expectText } from '../casts/convert.ts';
import type { Call } from '../../parse/tree.ts';
import type { Typed } from '../sql/typed.ts';
import { refusal, type Writing } from '../sql/writing.ts';

/** A call with the SQL and the types of its arguments. */
export interface TypedCall {
  readonly parsed: Call;
  readonly values: readonly Typed[];
  /** The place of the call in its source. */
  readonly at: number;
  readonly writing: Writing;
}

/** How one function is translated. A rule refuses arguments by returning `undefined`. */
export interface FunctionRule {
  /** The smallest and the largest number of arguments that the engine supports; Infinity if there is no largest. */
  readonly arguments: readonly [number, number];
  /** The numbers of arguments that a warehouse accepts, if they differ from `arguments`. */
  readonly warehouseArguments?: Partial<Record<WarehouseKind, readonly [number, number]>>;
  readonly only?: WarehouseKind;
  /** `\u0001` in the SQL of such a function marks the place for OVER. */
  readonly kind?: 'aggregate' | 'window';
  readonly hasOrder?: true;
  /** It takes `*`; with `columns`, also `table.*`, and some columns left out. */
  readonly takesStar?: 'bare' | 'columns';
  readonly mayIgnoreNulls?: true;
  /** Its OVER may have PARTITION BY only. */
  readonly hasNoOrderInOver?: true;
  /** Its result depends on the types and texts in semi-structured data. */
  readonly showsTypes?: true;
  /** Kind 2 has it only in queries without a table; the function to use instead, if there is one. */
  readonly withoutTable?: string;
  /** Kind 2 has it only in queries of a table. */
  readonly needsTable?: true;
  /** Without a frame, it sees the whole partition. */
  readonly isWholeFrame?: true;
  readonly write?: (call: TypedCall) => Typed | undefined;
  /** For rules that read the arguments themselves. */
  readonly writeCall?: (call: Call, writing: Writing) => Typed;
}

export type Rules = Readonly<Record<string, FunctionRule>>;

/** A marker in SQL for the place at which OVER is inserted. */
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

/** The value of a whole number that is written as a literal. */
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

/** No page says all blanks, signs and roundings that a warehouse writes and reads in the other formats. */
export function refuseFormat(call: TypedCall, hint: string): never {
  throw refusal(`the number format of ${call.parsed.name}`, call.at, call.writing, hint);
}
