import type { Arguments } from './arguments.ts';
import { type Datum, DateValue, isTrue, toNumber, toText } from './datum.ts';
import { refuse } from './expression-error.ts';

type Call = (values: Arguments, now: number) => Datum;

function ofNumber(compute: (number: number) => Datum): Call {
  return (values) => {
    values.expect(1);
    return compute(toNumber(values.datum(0), values.offset));
  };
}

function ofNumbers(compute: (...numbers: readonly number[]) => number): Call {
  return (values) => compute(...values.data().map((value) => toNumber(value, values.offset)));
}

/**
 * The functions that an expression may call, by name. These are functions without an object, and functions of `Math`,
 * `Number` and `Date`.
 */
export const functions: ReadonlyMap<string, Call> = new Map<string, Call>([
  ['String', (values) => unary(values, (value) => toText(value, values.offset))],
  ['Number', ofNumber((number) => number)],
  ['Boolean', (values) => unary(values, isTrue)],
  ['isNaN', ofNumber(Number.isNaN)],
  ['parseFloat', (values) => unary(values, (value) => Number.parseFloat(toText(value, values.offset)))],
  ['parseInt', parseWhole],
  ['Number.isInteger', (values) => unary(values, (value) => Number.isInteger(value))],
  ['Math.floor', ofNumber(Math.floor)],
  ['Math.ceil', ofNumber(Math.ceil)],
  ['Math.round', ofNumber(Math.round)],
  ['Math.trunc', ofNumber(Math.trunc)],
  ['Math.abs', ofNumber(Math.abs)],
  ['Math.min', ofNumbers(Math.min)],
  ['Math.max', ofNumbers(Math.max)],
  [
    'Date.now',
    (values, now) => {
      values.expect(0);
      return now;
    },
  ],
]);

/** The objects whose functions an expression may call, such as `Math`. */
export const namespaces: ReadonlySet<string> = new Set(['Math', 'Number', 'Date']);

function unary(values: Arguments, compute: (value: Datum) => Datum): Datum {
  values.expect(1);
  return compute(values.datum(0));
}

function parseWhole(values: Arguments): number {
  values.expect(1, 2);
  return Number.parseInt(toText(values.datum(0), values.offset), values.optionalNumber(1));
}

const isoDate = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * The value of `new Date(…)` in an expression. Without arguments, it is the time of the clock. Otherwise the
 * arguments are milliseconds, an ISO text, or the year, month (January is 0), day and so on in UTC.
 */
export function createDate(values: Arguments, now: number): DateValue {
  if (values.count === 0) return new DateValue(now);
  if (values.count > 1) {
    values.expect(2, 7);
    const [year = 0, month = 0, ...rest] = values.data().map((value) => toNumber(value, values.offset));
    return new DateValue(Date.UTC(year, month, ...rest));
  }
  const value = values.datum(0);
  if (value instanceof DateValue) return value;
  if (typeof value === 'number') return new DateValue(new Date(value).getTime());
  const [, date, time, zone] = typeof value === 'string' ? (isoDate.exec(value) ?? []) : [];
  if (date === undefined)
    refuse('a date in this form; write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ', values.offset);
  return new DateValue(Date.parse(time === undefined ? date : `${date}T${time}${zone ?? 'Z'}`));
}
