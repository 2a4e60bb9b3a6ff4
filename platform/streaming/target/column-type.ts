import {
  LongDecimal,
  parseJson,
  writeJson,
  type SqlType,
  type Value,
  type WarehouseKind,
} from '../../../engine/index.ts';

/** How dates and times are written (`temporalMapping`, spec §2.5): as dates and times, or as numbers since 1970. */
export type TemporalMapping = 'NATIVE' | 'EPOCH';

/** How values of a source column are converted to values of the warehouse. */
export interface TargetType {
  readonly type: SqlType;
  /** Reads the text that PostgreSQL writes. The result may not fit `type`: the warehouse then refuses it. */
  readonly read: (text: string) => Value;
  /** The same value inside of semi-structured data, as its JSON. */
  readonly writeInside: (text: string) => string;
}

interface Target {
  readonly kind: WarehouseKind;
  readonly temporal: TemporalMapping;
}

type SourceColumn = { readonly typeId: number; readonly typeModifier: number };

const asText = (text: string): Value => text;
/** Whole numbers have one text, which is their JSON too. */
const asJson = (text: string): string => text;
const typeOf = (
  type: SqlType,
  read: TargetType['read'] = asText,
  writeInside: TargetType['writeInside'] = (text) => writeJson(read(text)),
): TargetType => ({ type, read, writeInside });

/**
 * The warehouse's type for a type of PostgreSQL (by its object id). Types that the warehouse does not have (arrays,
 * intervals, enums, network addresses, …) become texts, as PostgreSQL writes them.
 */
export function targetType({ typeId, typeModifier }: SourceColumn, target: Target): TargetType {
  const { kind } = target;
  switch (typeId) {
    case Oid.boolean:
      return typeOf({ name: 'BOOLEAN' }, readBoolean);
    case Oid.smallint:
      return typeOf(kind === 'WAREHOUSE_TWO' ? { name: 'SMALLINT' } : wholeNumber(kind), asText, asJson);
    case Oid.integer:
      return typeOf(kind === 'WAREHOUSE_TWO' ? { name: 'INTEGER' } : wholeNumber(kind), asText, asJson);
    case Oid.bigint:
      return typeOf(wholeNumber(kind), asText, asJson);
    // An object id has 32 bits without a sign.
    case Oid.oid:
      return typeOf(wholeNumber(kind), asText, asJson);
    case Oid.numeric:
      return typeOf(numericType(typeModifier), asText, (text) => writeJson(readNumeric(text)));
    case Oid.real:
    case Oid.double:
      return typeOf({ name: 'FLOAT' }, readFloat);
    case Oid.varchar:
    case Oid.char:
      return typeOf(textType(typeModifier - 4, kind));
    case Oid.bytea:
      return typeOf({ name: 'BINARY' }, (text) => text.slice(2).toUpperCase());
    case Oid.json:
    case Oid.jsonb:
      return typeOf({ name: 'VARIANT' }, parseJson);
    case Oid.uuid:
      return typeOf({ name: 'VARCHAR', length: 36 });
    case Oid.date:
    case Oid.time:
    case Oid.timestamp:
    case Oid.timestamptz:
      return target.temporal === 'EPOCH'
        ? typeOf(wholeNumber(kind), epochReaders[typeId])
        : typeOf(...nativeTimes[typeId]);
    default:
      return typeOf(textType(0, kind));
  }
}

/** Object ids of PostgreSQL's own types, which never change. */
const Oid = {
  boolean: 16,
  bytea: 17,
  bigint: 20,
  smallint: 21,
  integer: 23,
  oid: 26,
  json: 114,
  real: 700,
  double: 701,
  char: 1042,
  varchar: 1043,
  date: 1082,
  time: 1083,
  timestamp: 1114,
  timestamptz: 1184,
  numeric: 1700,
  uuid: 2950,
  jsonb: 3802,
} as const;

function wholeNumber(kind: WarehouseKind): SqlType {
  return kind === 'WAREHOUSE_TWO' ? { name: 'BIGINT' } : { name: 'NUMBER', precision: 38, scale: 0 };
}

const MAX_DIGITS = 38;

/** A numeric without limits, or with larger ones than the warehouse has, becomes a text: a number would lose digits. */
function numericType(modifier: number): SqlType {
  const limits = modifier - 4;
  const precision = limits >> 16;
  const scale = limits & 0x7ff;
  const fits = modifier >= 4 && precision <= MAX_DIGITS && scale <= precision;
  return fits ? { name: 'NUMBER', precision, scale } : { name: 'VARCHAR', length: undefined };
}

/** The longest text of kind 2, in bytes. */
const MAX_BYTES = 65_535;
/** Of a character in UTF-8. */
const MAX_CHARACTER = 4;

/** @param length in characters; at most 0: no limit */
function textType(length: number, kind: WarehouseKind): SqlType {
  if (kind === 'WAREHOUSE_ONE') return { name: 'VARCHAR', length: length > 0 ? length : undefined };
  const bytes = length > 0 ? length * MAX_CHARACTER : MAX_BYTES;
  return { name: 'VARCHAR', length: Math.min(bytes, MAX_BYTES) };
}

function readBoolean(text: string): Value {
  return text === 't';
}

function readWhole(text: string): Value {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

function readFloat(text: string): Value {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

/** The digits that a number of JavaScript surely keeps. */
const SAFE_DIGITS = 15;

function readNumeric(text: string): Value {
  if (!/^-?[\d.]+$/.test(text)) return text;
  if (!text.includes('.')) return readWhole(text);
  return text.length <= SAFE_DIGITS ? Number(text) : new LongDecimal(text);
}

type TimeOid = typeof Oid.date | typeof Oid.time | typeof Oid.timestamp | typeof Oid.timestamptz;

const nativeTimes: Readonly<Record<TimeOid, [SqlType, TargetType['read']]>> = {
  [Oid.date]: [{ name: 'DATE' }, asText],
  [Oid.time]: [{ name: 'TIME' }, asText],
  [Oid.timestamp]: [{ name: 'TIMESTAMP' }, asText],
  // The session is in UTC: the offset is always +00.
  [Oid.timestamptz]: [
    { name: 'TIMESTAMP_TZ', isUtc: true },
    (text) => (text.endsWith('+00') ? `${text}:00` : text),
  ],
};

const MICROSECONDS = 1_000_000n;
const DAY_MS = 86_400_000;

/** `date`: days since 1970-01-01; `time`: microseconds since midnight; the others: microseconds since 1970. */
const epochReaders: Readonly<Record<TimeOid, TargetType['read']>> = {
  [Oid.date]: (text) => {
    const ms = Date.parse(`${text}T00:00:00Z`);
    return Number.isNaN(ms) ? text : ms / DAY_MS;
  },
  [Oid.time]: (text) => microseconds(`1970-01-01 ${text}`),
  [Oid.timestamp]: microseconds,
  [Oid.timestamptz]: (text) => microseconds(text.replace(/\+00$/, '')),
};

function microseconds(text: string): Value {
  const [, moment, fraction = ''] = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  const ms = moment === undefined ? Number.NaN : Date.parse(`${moment.replace(' ', 'T')}Z`);
  // `infinity`, years before Christ and after 9999: the warehouse refuses the text.
  if (Number.isNaN(ms)) return text;
  return readWhole(String(BigInt(ms / 1000) * MICROSECONDS + BigInt(fraction.padEnd(6, '0'))));
}
