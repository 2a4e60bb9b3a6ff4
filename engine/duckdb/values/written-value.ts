import { type Decimal, parseDecimal } from '../../../lib/core/values/decimal.ts';
import { isTruthValue } from '../../../lib/core/values/truth-value.ts';
import { inUtc, isTime, type Moment, parseMoment } from '../../../lib/core/values/written-moment.ts';
import type { SqlType } from '../../core/sql-type.ts';

/**
 * The result of reading a text that a person wrote for a column: either the value, or the end of a sentence that says
 * what the column would lose of the text.
 */
export interface WrittenValue {
  /** The value in the form of `Value`. Undefined if the text is not a value of the type. */
  readonly text?: string;
  readonly lost?: string;
}

/** How the values of a type are written, for messages. */
const forms: Partial<Record<SqlType['name'], string>> = {
  FLOAT: 'a number, NaN, Infinity or -Infinity',
  BOOLEAN: 'true or false',
  DATE: 'YYYY-MM-DD',
  TIME: 'HH:MM:SS',
  TIMESTAMP: 'YYYY-MM-DD HH:MM:SS',
  TIMESTAMP_TZ: 'YYYY-MM-DD HH:MM:SS+00:00',
  BINARY: 'two hexadecimal digits for each byte',
};

/** Describes the form that a text must have to be a value of a type. The result is the end of a sentence. */
export function expectedForm({ name }: SqlType): string {
  const form = forms[name];
  return form === undefined ? '' : `: write ${form}`;
}

const notOfType: WrittenValue = {};
const tooManyDigits: WrittenValue = { lost: 'has more digits than' };

/**
 * Converts a text that a person wrote to a value of a type, for given and expected rows, mocks and seeds. It is
 * stricter than DuckDB, which would also accept texts such as `2024-01-05zz` and `7_1`.
 */
export function readWritten(text: string, type: SqlType): WrittenValue {
  switch (type.name) {
    case 'NUMBER':
      return readNumber(text, type.scale);
    case 'SMALLINT':
    case 'INTEGER':
    case 'BIGINT':
      return readNumber(text, 0);
    case 'FLOAT':
      return readFloat(text);
    case 'BOOLEAN':
      return isTruthValue(text) ? { text: text.toLowerCase() } : notOfType;
    case 'DATE':
      return readDate(text);
    case 'TIME':
      return readTime(text);
    case 'TIMESTAMP':
    case 'TIMESTAMP_TZ':
      return readTimestamp(text, type.name === 'TIMESTAMP_TZ');
    case 'BINARY':
      return /^(?:[0-9A-Fa-f]{2})*$/.test(text) ? { text: text.toUpperCase() } : notOfType;
    case 'VARCHAR':
    case 'VARIANT':
    case 'NULL':
      return { text };
  }
}

/**
 * The text of the value that a person wrote, in the form of the type. Undefined if the text is not a value of the
 * type.
 */
export function writtenText(text: string, type: SqlType): string | undefined {
  return readWritten(text, type).text;
}

/** No type has more digits, whatever the exponent of a written number. */
const maxDigits = 38;

function readNumber(text: string, scale: number): WrittenValue {
  const number = parseDecimal(text);
  if (number === undefined) return notOfType;
  if (number.scale > scale) return { lost: 'has more decimal places than' };
  return -number.scale > maxDigits ? notOfType : { text: plainText(number) };
}

/** Digits without an exponent. */
function plainText({ units, scale }: Decimal): string {
  if (scale <= 0) return String(units * 10n ** BigInt(-scale));
  const [sign, digits] = units < 0n ? ['-', String(-units)] : ['', String(units)];
  const padded = digits.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/** The values of a FLOAT that are not finite; in YAML also `.nan`, `.inf` and `-.inf`. */
const notFinite: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity']);

function readFloat(text: string): WrittenValue {
  if (notFinite.has(text)) return { text };
  const written = parseDecimal(text);
  const value = Number(text);
  if (written === undefined || !Number.isFinite(value)) return notOfType;
  const stored = parseDecimal(String(value));
  const isSurelyKept = /^[+-]?\d{0,9}(?:\.\d{0,6})?$/.test(text);
  return isSurelyKept || isKept(written, stored)
    ? { text: Object.is(value, -0) ? '-0' : String(value) }
    : tooManyDigits;
}

/** Whether the shortest text of a number with 64 bits is the number that was written. */
function isKept(written: Decimal, stored: Decimal | undefined): boolean {
  return stored?.units === written.units && stored.scale === written.scale;
}

function dayText({ year, month, day }: Moment): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

function withFraction(time: string, fraction: string): string {
  return fraction === '' ? time : `${time}.${fraction}`;
}

const maxFraction = 6;

function readDate(text: string): WrittenValue {
  const moment = parseMoment(text);
  if (moment === undefined) return notOfType;
  if (moment.time !== '00:00:00' || moment.fraction !== '') return { lost: 'has a time of day, unlike' };
  return moment.zone === 0 ? { text: dayText(moment) } : { lost: 'has a time zone, unlike' };
}

function readTime(text: string): WrittenValue {
  const [, time = '', digits = ''] = /^(\d{2}:\d{2}:\d{2})(?:\.(\d+))?$/.exec(text) ?? [];
  if (!isTime(time)) return parseMoment(text) === undefined ? notOfType : { lost: 'has a date, unlike' };
  const fraction = digits.replace(/0+$/, '');
  return fraction.length > maxFraction ? tooManyDigits : { text: withFraction(time, fraction) };
}

function readTimestamp(text: string, hasZone: boolean): WrittenValue {
  const moment = parseMoment(text);
  if (moment === undefined) return notOfType;
  if (moment.fraction.length > maxFraction) return tooManyDigits;
  if (!hasZone && moment.zone !== 0) return { lost: 'has a time zone, unlike' };
  const utc = moment.zone === 0 ? moment : inUtc(moment);
  if (utc === undefined) return notOfType;
  return { text: `${dayText(utc)} ${withFraction(utc.time, utc.fraction)}${hasZone ? '+00:00' : ''}` };
}

/** Explains why semi-structured data cannot hold a number without changing it. Undefined if it can. */
export function unkept(text: string, column: string): string {
  return `semi-structured data cannot store the number "${text}" exactly (column "${column}"): write it as a text, in quotes`;
}
