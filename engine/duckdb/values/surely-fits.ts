import type { SqlType, WarehouseKind } from '../../core/sql-type.ts';

/** Every day of the months but the 29th of February, which not all years have. */
const days = String.raw`(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31`;
const date = String.raw`(?!0000)\d{4}-(?:${days})`;
const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?`;

/** The plain spellings of values, whatever their type allows besides. */
const spellings: Partial<Record<SqlType['name'], RegExp>> = {
  SMALLINT: /^-?\d{1,4}$/,
  INTEGER: /^-?\d{1,9}$/,
  BIGINT: /^-?\d{1,18}$/,
  FLOAT: /^-?\d{1,9}(?:\.\d{1,6})?$/,
  BOOLEAN: /^(?:true|false)$/,
  DATE: new RegExp(`^${date}$`),
  TIME: new RegExp(`^${time}$`),
  TIMESTAMP: new RegExp(`^${date} ${time}$`),
  TIMESTAMP_TZ: new RegExp(String.raw`^${date} ${time}\+00:00$`),
};

/**
 * Returns a function that says whether a text is certainly a value of the type. Undefined for a type for which the
 * text alone does not show this.
 */
export function surelyFits(type: SqlType, kind: WarehouseKind): ((text: string) => boolean) | undefined {
  if (type.name === 'VARCHAR') return textFits(type.length, kind);
  // `columnTexts` has written it as JSON.
  if (type.name === 'VARIANT') return () => true;
  const spelling = type.name === 'NUMBER' ? numberSpelling(type) : spellings[type.name];
  return spelling === undefined ? undefined : (text) => spelling.test(text);
}

function textFits(length: number | undefined, kind: WarehouseKind): (text: string) => boolean {
  if (length === undefined) return () => true;
  // A unit of UTF-16 has at most three bytes in UTF-8.
  const units = kind === 'WAREHOUSE_TWO' ? Math.floor(length / 3) : length;
  return (text) => text.length <= units;
}

/** One digit less than the type has before the point: rounding may need it. */
function numberSpelling({ precision, scale }: { precision: number; scale: number }): RegExp | undefined {
  const digits = precision - scale - 1;
  if (digits < 1) return undefined;
  return new RegExp(scale === 0 ? `^-?\\d{1,${digits}}$` : `^-?\\d{1,${digits}}(?:\\.\\d{1,${scale}})?$`);
}
