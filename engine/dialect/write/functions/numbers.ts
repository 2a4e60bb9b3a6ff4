import { cast } from '../casts/convert.ts';
import { cutNumber } from '../casts/cut-number.ts';
import { finite, roundedFloat } from '../casts/floats.ts';
import { arithmetic } from '../operators/operators.ts';
import { decimal, digitsOf, duckType, FLOAT, isDateLike, TEXT, type Typed, WHOLE } from '../sql/typed.ts';
import { isOne, type Writing } from '../sql/writing.ts';
import { DATES } from './dates.ts';
import { type FunctionRule, type Given, float, literal, number, type Rules, text } from './rule.ts';

/** A function of DOUBLE values. */
function double(name: string, count = 1): FunctionRule {
  return {
    arguments: [count, count],
    write: (given) => {
      const values = given.values.map((_, index) => float(given, index));
      return finite(`${name}(${values.join(', ')})`, given.writing);
    },
  };
}

function absolute(given: Given): Typed {
  const value = number(given, 0);
  return { sql: `abs(${value.sql})`, type: value.type, ...(value.isInteger && { isInteger: true as const }) };
}

/** `round` and `trunc` with a number of places that is a literal. */
function toPlaces(name: 'round' | 'trunc'): FunctionRule {
  return {
    arguments: [1, 2],
    write: (given) => {
      const value = number(given, 0);
      const places = given.values.length > 1 ? literal(given, 1) : 0;
      if (places === undefined) return undefined;
      const digits = digitsOf(value.type);
      if (digits === undefined) return doubleTo(name, value, places, given.writing);
      if (places >= digits.scale) return value;
      if (name === 'trunc') return truncated(value, digits, places, given.writing);
      const type = decimal(digits.precision + 1, Math.max(0, places));
      return { sql: `CAST(round(${value.sql}, ${places}) AS ${duckType(type)})`, type };
    },
  };
}

function doubleTo(name: string, value: Typed, places: number, writing: Writing): Typed | undefined {
  if (name === 'round') return Math.abs(places) > 300 ? undefined : roundedFloat(value, places, writing);
  return places === 0 ? { sql: `trunc(${value.sql})`, type: FLOAT } : undefined;
}

function truncated(
  value: Typed,
  digits: { precision: number },
  places: number,
  writing: Writing,
): Typed | undefined {
  if (Math.abs(places) > 37) return undefined;
  if (places !== 0) return cutNumber(value, places, writing);
  const type = decimal(digits.precision, 0);
  return { sql: `CAST(trunc(${value.sql}) AS ${duckType(type)})`, type };
}

function whole(name: 'floor' | 'ceil'): FunctionRule {
  return {
    arguments: [1, 2],
    warehouseArguments: { WAREHOUSE_TWO: [1, 1] },
    write: (given) => {
      const value = number(given, 0);
      const digits = digitsOf(value.type);
      if (given.values.length > 1) return wholeTo(name, value, literal(given, 1));
      if (digits?.scale === 0) return value;
      if (digits === undefined) return { sql: `${name}(${value.sql})`, type: FLOAT };
      const type = decimal(digits.precision + 1, 0);
      return { sql: `CAST(${name}(${value.sql}) AS ${duckType(type)})`, type };
    },
  };
}

/** The rounded number, corrected where it was rounded in the other direction. */
function wholeTo(name: 'floor' | 'ceil', value: Typed, places: number | undefined): Typed | undefined {
  const digits = value.type.name === 'NULL' ? { precision: 1, scale: 0 } : digitsOf(value.type);
  if (digits === undefined || places === undefined || Math.abs(places) > 37) return undefined;
  if (places >= digits.scale) return value;
  const type = duckType(decimal(digits.precision + 1, Math.max(0, places)));
  const rounded = `CAST(round(${value.sql}, ${places}) AS ${type})`;
  const step = places > 0 ? `0.${'0'.repeat(places - 1)}1` : `1${'0'.repeat(-places)}`;
  const [isWrong, corrected] =
    name === 'floor' ? ['>', `${rounded} - ${step}`] : ['<', `${rounded} + ${step}`];
  const sql = `CASE WHEN ${rounded} ${isWrong} ${value.sql} THEN CAST(${corrected} AS ${type}) ELSE ${rounded} END`;
  return { sql, type: decimal(digits.precision + 1, Math.max(0, places)) };
}

function modulo(given: Given): Typed {
  return arithmetic('%', number(given, 0), number(given, 1), given.at, given.writing);
}

/** Zero where DIV0 divides by zero. */
function divideOrZero(given: Given): Typed {
  // Fails where the division would.
  const [dividend, by] = given.values;
  if (dividend && by) arithmetic('/', dividend, by, given.at, given.writing);
  const divisor = number(given, 1);
  const zero = `nullif(${divisor.sql}, 0)`;
  const quotient = arithmetic('/', number(given, 0), { ...divisor, number: '1' }, given.at, given.writing);
  const safe = arithmetic(
    '/',
    number(given, 0),
    { sql: zero, type: divisor.type, number: '1' },
    given.at,
    given.writing,
  );
  const isNull = `${number(given, 0).sql} IS NOT NULL AND ${divisor.sql} = 0`;
  return { sql: `CASE WHEN ${isNull} THEN 0 ELSE ${safe.sql} END`, type: quotient.type };
}

/** Kind 2 keeps the type of the number, which matters for a division. */
function sign(given: Given): Typed {
  const { sql, type } = number(given, 0);
  const kept = isOne(given.writing) || type.name === 'NUMBER' ? decimal(1, 0) : type;
  return isOne(given.writing)
    ? { sql: `sign(${sql})`, type: kept, isInteger: true }
    : { sql: `CAST(sign(${sql}) AS ${duckType(kept)})`, type: kept };
}

/** A whole number of 64 bits on one kind, a number from 0 to 1 on the other; the warehouse seeds it. */
function random({ writing }: Given): Typed {
  if (!isOne(writing)) return { sql: 'random()', type: FLOAT };
  const sql = 'CAST(floor((random() - 0.5) * 18446744073709551615) AS DECIMAL(38, 0))';
  return { sql, type: WHOLE, isInteger: true };
}

/** A text of the form of a random UUID, from the random numbers of the run. */
function uuid(): Typed {
  const groups = "'(.{8})(.{4}).(.{3}).(.{3})(.{12})', '\\1-\\2-4\\3-8\\4-\\5'";
  return { sql: `regexp_replace(md5(CAST(random() AS VARCHAR)), ${groups})`, type: TEXT };
}

/** The base comes first. */
function logarithm(given: Given): Typed {
  const [base, value] = [0, 1].map((index) => float(given, index));
  return finite(`(ln(${value}) / ln(${base}))`, given.writing);
}

const one = 'WAREHOUSE_ONE';
const TRUNCATE = toPlaces('trunc');

/** A date cut to the start of a unit, as DATE_TRUNC does it with its arguments the other way round; or a number. */
function truncateAny(given: Given): Typed | undefined {
  const [value, unit] = given.values;
  if (value === undefined || unit === undefined || !isDateLike(value.type)) return TRUNCATE.write?.(given);
  return DATES.DATE_TRUNC?.write?.({ ...given, values: [unit, value] });
}

/** Functions of numbers. */
export const NUMBERS: Rules = {
  ABS: { arguments: [1, 1], write: absolute },
  ROUND: { ...toPlaces('round'), warehouseArguments: { WAREHOUSE_ONE: [1, 3] } },
  TRUNC: { ...TRUNCATE, write: truncateAny },
  TRUNCATE: { ...TRUNCATE, only: one, write: truncateAny },
  RANDOM: { arguments: [0, 0], warehouseArguments: { WAREHOUSE_ONE: [0, 1] }, write: random },
  UUID_STRING: { arguments: [0, 0], warehouseArguments: { WAREHOUSE_ONE: [0, 2] }, only: one, write: uuid },
  FLOOR: whole('floor'),
  CEIL: whole('ceil'),
  CEILING: whole('ceil'),
  MOD: { arguments: [2, 2], write: modulo },
  DIV0: { arguments: [2, 2], only: one, write: divideOrZero },
  SIGN: { arguments: [1, 1], write: sign },
  SQRT: double('sqrt'),
  EXP: double('exp'),
  LN: double('ln'),
  LOG: { arguments: [2, 2], only: one, write: logarithm },
  SIN: double('sin'),
  COS: double('cos'),
  TAN: double('tan'),
  RADIANS: double('radians'),
  DEGREES: double('degrees'),
  PI: { arguments: [0, 0], write: () => ({ sql: 'pi()', type: FLOAT }) },
  POWER: double('pow', 2),
  POW: { ...double('pow', 2), only: one },
  ZEROIFNULL: {
    arguments: [1, 1],
    only: one,
    write: (given) => {
      const { sql, type } = number(given, 0);
      return type.name === 'NULL'
        ? { sql: '0', type: decimal(1, 0), isInteger: true }
        : { sql: `coalesce(${sql}, 0)`, type };
    },
  },
  NULLIFZERO: {
    arguments: [1, 1],
    only: one,
    write: (given) => ({ sql: `nullif(${number(given, 0).sql}, 0)`, type: number(given, 0).type }),
  },
  TO_NUMBER: numberRule(false),
  TO_DECIMAL: numberRule(false),
  TO_NUMERIC: numberRule(false),
  TRY_TO_NUMBER: numberRule(true),
  TO_DOUBLE: doubleRule(false),
  TRY_TO_DOUBLE: doubleRule(true),
};

function numberRule(isTry: boolean): FunctionRule {
  return {
    arguments: [1, 3],
    warehouseArguments: { WAREHOUSE_ONE: [1, 4] },
    only: one,
    write: (given) => toNumber(given, isTry),
  };
}

function doubleRule(isTry: boolean): FunctionRule {
  return {
    arguments: [1, 1],
    warehouseArguments: { WAREHOUSE_ONE: [1, 2] },
    only: one,
    write: (given) => castTo(given, FLOAT, isTry),
  };
}

function toNumber(given: Given, isTry: boolean): Typed | undefined {
  if (given.values.length === 1) return castTo(given, WHOLE, isTry);
  if (given.values[1]?.text !== undefined) return formatted(given, given.values[1].text, isTry);
  const precision = literal(given, 1);
  const scale = given.values.length > 2 ? literal(given, 2) : 0;
  if (
    precision === undefined ||
    scale === undefined ||
    precision < 1 ||
    precision > 38 ||
    scale < 0 ||
    scale > precision
  )
    return undefined;
  return castTo(given, decimal(precision, scale), isTry);
}

/**
 * A text in a format of digits and commas, such as `999,999`. Where the documents do not say what another text gives, it
 * is refused when it occurs.
 */
function formatted(given: Given, format: string, isTry: boolean): Typed | undefined {
  if (given.values.length > 2 || given.values[0]?.type.name !== 'VARCHAR') return undefined;
  if (!/^(?:9{1,38}|9{1,3}(?:,999){1,11})$/.test(format)) return undefined;
  const groups = format.split(',').length - 1;
  const digits = format.replaceAll(',', '').length;
  const value = text(given, 0);
  const form = groups === 0 ? `\\d{1,${digits}}` : `\\d{1,3}(,\\d{3}){0,${groups}}`;
  const plain = `replace(${value}, ',', '')`;
  const fits = `regexp_full_match(${value}, '${form}') AND length(${plain}) <= ${digits}`;
  const isNone = `${value} = '' OR regexp_matches(${value}, '[^-+0-9,.$() eE]')`;
  const none = isTry ? 'NULL' : `error('Numeric value ''' || ${value} || ''' is not recognized')`;
  const other = `error('Millrace does not support the number text ''' || ${value} || ''' in the format ''${format}''')`;
  const type = duckType(WHOLE);
  return {
    sql: `CASE WHEN ${value} IS NULL THEN NULL WHEN ${fits} THEN TRY_CAST(${plain} AS ${type}) WHEN ${isNone} THEN ${none} ELSE CAST(${other} AS ${type}) END`,
    type: WHOLE,
  };
}

function castTo(given: Given, type: Typed['type'], isTry: boolean): Typed {
  const [value] = given.values;
  if (value === undefined) throw new Error('no argument');
  return cast(value, type, given.at, given.writing, isTry);
}
