import { isList } from '../../lib/core/values/is-list.ts';
import { fail, refuse } from './expression-error.ts';
import { limits } from './limits.ts';

/** A value that an expression or a part of an expression can have. */
export type Datum = string | number | boolean | null | undefined | readonly Datum[] | DateValue | RecordValue;

/** A JavaScript `Date` whose time zone is always UTC. */
export class DateValue {
  readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }
}

/**
 * A value with named members. Examples are a grid variable, which has a list for each column, and `sysvar`, which
 * consists of several records.
 */
export class RecordValue {
  readonly entries: ReadonlyMap<string, Datum>;

  constructor(entries: Iterable<readonly [string, Datum]>) {
    this.entries = new Map(entries);
  }
}

/** Converts a value to a text as JavaScript's `String(value)` does. */
export function toText(value: Datum, offset: number): string {
  if (typeof value === 'object' && value !== null) refuse(`converting ${nameKind(value)} to text`, offset);
  return String(value);
}

/** Converts a value to a number as JavaScript's `Number(value)` does. */
export function toNumber(value: Datum, offset: number): number {
  if (value instanceof DateValue) return value.ms;
  if (typeof value === 'object' && value !== null)
    refuse(`converting ${nameKind(value)} to a number`, offset);
  return Number(value);
}

export function isTrue(value: Datum): boolean {
  return Boolean(value);
}

export function nameKind(value: Datum): string {
  if (isList(value)) return 'a list';
  if (value instanceof DateValue) return 'a date';
  if (value instanceof RecordValue) return 'a grid or another object';
  if (value === null || value === undefined) return String(value);
  return `a ${typeof value === 'string' ? 'text' : typeof value}`;
}

/** Throws ExpressionError if a text would be too long. Call this before the text is created. */
export function limitText(length: number, offset: number): void {
  if (!(length <= limits.text))
    fail(`a text in the expression is longer than ${limits.text} characters, which is the limit`, offset);
}

export function limitItems(count: number, offset: number): void {
  if (count > limits.items)
    fail(`a list in the expression has more than ${limits.items} items, which is the limit`, offset);
}

/** Compares two values. With `isStrict`, as JavaScript's `===` does, otherwise as `==` does. */
export function areEqual(left: Datum, right: Datum, isStrict: boolean, offset: number): boolean {
  for (const value of [left, right]) {
    if (typeof value === 'object' && value !== null) refuse(`the comparison of ${nameKind(value)}`, offset);
  }
  if (isStrict || typeof left === typeof right) return left === right;
  const isEmpty = (value: Datum) => value === null || value === undefined;
  if (isEmpty(left) || isEmpty(right)) return isEmpty(left) && isEmpty(right);
  return Number(left) === Number(right);
}
