import type { SqlType } from '../core/sql-type.ts';

const decimal = /^\s*[+-]?0*(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?\s*$/;
const dateAndTime = /^\s*[+-]?\d+-\d+-\d+[ T]+(\S.*)$/;
const zone = /[+-](?=\d*[1-9])\d{1,2}(?::?\d{2})?\s*$/;
const pastMicroseconds = /\.\d{6}\d*[1-9]/;

/** What a column of the type would drop or round of a text, as the end of a sentence; undefined if nothing. */
export function lostPart(text: string, type: SqlType): string | undefined {
  switch (type.name) {
    case 'NUMBER':
      return decimalPlaces(text) > type.scale ? 'has more decimal places than' : undefined;
    case 'SMALLINT':
    case 'INTEGER':
    case 'BIGINT':
      return decimalPlaces(text) > 0 ? 'has more decimal places than' : undefined;
    case 'FLOAT':
      return isRounded(text) ? 'has more digits than' : undefined;
    case 'DATE':
      return /[1-9]/.test(dateAndTime.exec(text)?.[1] ?? '') ? 'has a time of day, unlike' : undefined;
    case 'TIME':
      if (dateAndTime.test(text)) return 'has a date, unlike';
      return pastMicroseconds.test(text) ? 'has more digits than' : undefined;
    case 'TIMESTAMP':
      if (zone.test(dateAndTime.exec(text)?.[1] ?? '')) return 'has a time zone, unlike';
      return pastMicroseconds.test(text) ? 'has more digits than' : undefined;
    case 'TIMESTAMP_TZ':
      return pastMicroseconds.test(text) ? 'has more digits than' : undefined;
    case 'VARCHAR':
    case 'BOOLEAN':
    case 'BINARY':
    case 'VARIANT':
    case 'NULL':
      return undefined;
  }
}

/** Without zeros at the end; 0 for other texts than numbers. */
function decimalPlaces(text: string): number {
  if (!/[.eE]/.test(text)) return 0;
  const { digits, exponent } = significant(text) ?? { digits: '', exponent: 0 };
  return digits === '' ? 0 : -exponent;
}

/** Whether a number of 64 bits has another shortest spelling than the text. */
function isRounded(text: string): boolean {
  const written = significant(text);
  if (written === undefined || written.digits.length <= 15) return false;
  const stored = significant(String(Number(text)));
  return stored?.digits !== written.digits || stored.exponent !== written.exponent;
}

/** A number as its digits, without zeros around them, times a power of ten. */
function significant(text: string): { readonly digits: string; readonly exponent: number } | undefined {
  const [, whole, places = '', power = '0'] = decimal.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = `${whole}${places}`.replace(/0+$/, '');
  const exponent = Number(power) - places.length + (whole.length + places.length - digits.length);
  return { digits: digits.replace(/^0+/, ''), exponent };
}
