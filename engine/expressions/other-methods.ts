import { isList } from '../../lib/core/values/is-list.ts';
import type { Arguments } from './arguments.ts';
import { areEqual, type Datum, type DateValue, limitItems, limitText, toText } from './datum.ts';
import { fail, refuse } from './expression-error.ts';

/** The methods of lists that an expression may call. None of them changes the list. */
export const listMethods: ReadonlyMap<string, (list: readonly Datum[], values: Arguments) => Datum> = new Map<
  string,
  (list: readonly Datum[], values: Arguments) => Datum
>([
  ['indexOf', (list, values) => find(list, values)],
  ['lastIndexOf', (list, values) => findLast(list, values)],
  ['includes', (list, values) => find(list, values) >= 0],
  ['join', join],
  ['concat', concat],
  [
    'slice',
    (list, values) => {
      values.expect(0, 2);
      return list.slice(values.optionalNumber(0), values.optionalNumber(1));
    },
  ],
  [
    'at',
    (list, values) => {
      values.expect(1);
      return list.at(values.number(0));
    },
  ],
]);

function find(list: readonly Datum[], values: Arguments): number {
  values.expect(1);
  const value = values.datum(0);
  return list.findIndex((item) => areEqual(item, value, true, values.offset));
}

function findLast(list: readonly Datum[], values: Arguments): number {
  values.expect(1);
  const value = values.datum(0);
  return list.findLastIndex((item) => areEqual(item, value, true, values.offset));
}

function join(list: readonly Datum[], values: Arguments): string {
  values.expect(0, 1);
  const separator = values.count > 0 ? values.text(0) : ',';
  const texts = list.map((item) => (item === null || item === undefined ? '' : toText(item, values.offset)));
  const length = texts.reduce((sum, text) => sum + text.length + separator.length, 0);
  limitText(length, values.offset);
  return texts.join(separator);
}

function concat(list: readonly Datum[], values: Arguments): readonly Datum[] {
  const result = values.data().reduce<readonly Datum[]>((all, value) => {
    const more = isList(value) ? value : [value];
    limitItems(all.length + more.length, values.offset);
    return [...all, ...more];
  }, list);
  return result;
}

/** The methods of numbers that an expression may call. */
export const numberMethods: ReadonlyMap<string, (number: number, values: Arguments) => Datum> = new Map<
  string,
  (number: number, values: Arguments) => Datum
>([
  [
    'toString',
    (number, values) => {
      values.expect(0);
      return String(number);
    },
  ],
  [
    'toFixed',
    (number, values) => {
      values.expect(0, 1);
      const digits = values.optionalNumber(0) ?? 0;
      if (!(digits >= 0 && digits <= 100))
        fail('the number of digits in toFixed must be from 0 to 100', values.offset);
      return number.toFixed(digits);
    },
  ],
]);

const dateParts: Readonly<Record<string, (date: Date) => number>> = {
  FullYear: (date) => date.getUTCFullYear(),
  Month: (date) => date.getUTCMonth(),
  Date: (date) => date.getUTCDate(),
  Day: (date) => date.getUTCDay(),
  Hours: (date) => date.getUTCHours(),
  Minutes: (date) => date.getUTCMinutes(),
  Seconds: (date) => date.getUTCSeconds(),
  Milliseconds: (date) => date.getUTCMilliseconds(),
};

/**
 * Calls a method of a date. Undefined if the method does not exist. All methods use the time zone UTC, even those
 * without `UTC` in their name.
 */
export function callDateMethod(value: DateValue, name: string, values: Arguments): Datum {
  const date = new Date(value.ms);
  const part = dateParts[/^get(?:UTC)?(\w+)$/.exec(name)?.[1] ?? ''];
  if (
    part === undefined &&
    !['toISOString', 'toJSON', 'getTime', 'valueOf', 'getTimezoneOffset'].includes(name)
  ) {
    refuse(`the method \`${name}\` of a date`, values.offset);
  }
  values.expect(0);
  if (part !== undefined) return part(date);
  if (name === 'getTimezoneOffset') return 0;
  if (name === 'getTime' || name === 'valueOf') return value.ms;
  if (Number.isNaN(value.ms)) fail('the date is not valid', values.offset);
  return date.toISOString();
}
