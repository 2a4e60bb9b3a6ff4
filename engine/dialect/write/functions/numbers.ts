import { cast } from '../casts/convert.ts';
import { finite } from '../casts/floats.ts';
import { arithmetic } from '../operators/operators.ts';
import { decimal, duckType, FLOAT, TEXT, type Typed, WHOLE } from '../sql/typed.ts';
import { isOne } from '../sql/writing.ts';
import { ROUNDING } from './rounding.ts';
import {
  type FunctionRule,
  type TypedCall,
  float,
  literal,
  number,
  refuseFormat,
  type Rules,
  text,
} from './rule.ts';

/** A function of DOUBLE values. */
function double(name: string, count = 1): FunctionRule {
  return {
    arguments: [count, count],
    write: (call) => {
      const values = call.values.map((_, index) => float(call, index));
      return finite(`${name}(${values.join(', ')})`, call.writing);
    },
  };
}

function absolute(call: TypedCall): Typed {
  const value = number(call, 0);
  return { sql: `abs(${value.sql})`, type: value.type, ...(value.isInteger && { isInteger: true as const }) };
}

function modulo(call: TypedCall): Typed {
  return arithmetic('%', number(call, 0), number(call, 1), call.at, call.writing);
}

/** DIV0 gives zero if the divisor is zero. */
function divideOrZero(call: TypedCall): Typed {
  // Fails if the division would fail.
  const [dividend, by] = call.values;
  if (dividend && by) arithmetic('/', dividend, by, call.at, call.writing);
  const divisor = number(call, 1);
  const zero = `nullif(${divisor.sql}, 0)`;
  const quotient = arithmetic('/', number(call, 0), { ...divisor, number: '1' }, call.at, call.writing);
  const safe = arithmetic(
    '/',
    number(call, 0),
    { sql: zero, type: divisor.type, number: '1' },
    call.at,
    call.writing,
  );
  const isNull = `${number(call, 0).sql} IS NOT NULL AND ${divisor.sql} = 0`;
  return { sql: `CASE WHEN ${isNull} THEN 0 ELSE ${safe.sql} END`, type: quotient.type };
}

/** `WAREHOUSE_TWO` keeps the type of the number, which matters for a division. */
function sign(call: TypedCall): Typed {
  const { sql, type } = number(call, 0);
  const kept = isOne(call.writing) || type.name === 'NUMBER' ? decimal(1, 0) : type;
  return isOne(call.writing)
    ? { sql: `sign(${sql})`, type: kept, isInteger: true }
    : { sql: `CAST(sign(${sql}) AS ${duckType(kept)})`, type: kept };
}

/** A whole number of 64 bits on one kind, a number from 0 to 1 on the other; the warehouse seeds it. */
function random({ writing }: TypedCall): Typed {
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
function logarithm(call: TypedCall): Typed {
  const [base, value] = [0, 1].map((index) => float(call, index));
  return finite(`(ln(${value}) / ln(${base}))`, call.writing);
}

const kindOne = 'WAREHOUSE_ONE';
/** Functions that compute with numbers. */
export const NUMBERS: Rules = {
  ABS: { arguments: [1, 1], write: absolute },
  ...ROUNDING,
  RANDOM: { arguments: [0, 0], warehouseArguments: { WAREHOUSE_ONE: [0, 1] }, write: random },
  UUID_STRING: {
    arguments: [0, 0],
    warehouseArguments: { WAREHOUSE_ONE: [0, 2] },
    only: kindOne,
    write: uuid,
  },
  MOD: { arguments: [2, 2], write: modulo },
  DIV0: { arguments: [2, 2], only: kindOne, write: divideOrZero },
  SIGN: { arguments: [1, 1], write: sign },
  SQRT: double('sqrt'),
  EXP: double('exp'),
  LN: double('ln'),
  LOG: { arguments: [2, 2], only: kindOne, write: logarithm },
  SIN: double('sin'),
  COS: double('cos'),
  TAN: double('tan'),
  RADIANS: double('radians'),
  DEGREES: double('degrees'),
  PI: { arguments: [0, 0], write: () => ({ sql: 'pi()', type: FLOAT }) },
  POWER: double('pow', 2),
  POW: { ...double('pow', 2), only: kindOne },
  ZEROIFNULL: {
    arguments: [1, 1],
    only: kindOne,
    write: (call) => {
      const { sql, type } = number(call, 0);
      return type.name === 'NULL'
        ? { sql: '0', type: decimal(1, 0), isInteger: true }
        : { sql: `coalesce(${sql}, 0)`, type };
    },
  },
  NULLIFZERO: {
    arguments: [1, 1],
    only: kindOne,
    write: (call) => ({ sql: `nullif(${number(call, 0).sql}, 0)`, type: number(call, 0).type }),
  },
  TO_NUMBER: numberRule(false),
  TO_DECIMAL: numberRule(false),
  TO_NUMERIC: numberRule(false),
  TRY_TO_NUMBER: numberRule(true),
  TO_DOUBLE: doubleRule(false),
  TRY_TO_DOUBLE: doubleRule(true),
};

function numberRule(isTry: boolean): FunctionRule {
  return { arguments: [1, 4], only: kindOne, write: (call) => toNumber(call, isTry) };
}

function doubleRule(isTry: boolean): FunctionRule {
  return {
    arguments: [1, 1],
    warehouseArguments: { WAREHOUSE_ONE: [1, 2] },
    only: kindOne,
    write: (call) => castTo(call, FLOAT, isTry),
  };
}

function toNumber(call: TypedCall, isTry: boolean): Typed | undefined {
  if (call.values.length === 1) return castTo(call, WHOLE, isTry);
  if (call.values[1]?.text !== undefined) return formatted(call, call.values[1].text, isTry);
  const size = call.values.length > 3 ? undefined : sizeOf(call, 1);
  return size && castTo(call, decimal(size.precision, size.scale), isTry);
}

/** The precision and the scale that the arguments from an index on are; undefined if they are none. */
function sizeOf(
  call: TypedCall,
  index: number,
): { readonly precision: number; readonly scale: number } | undefined {
  const precision = literal(call, index);
  const scale = call.values.length > index + 1 ? literal(call, index + 1) : 0;
  if (precision === undefined || scale === undefined) return undefined;
  return precision >= 1 && precision <= 38 && scale >= 0 && scale <= precision
    ? { precision, scale }
    : undefined;
}

/**
 * A text in a format of digits with commas and a point, such as `999,999.99`, as a number of a precision and a scale, which must have
 * room for the digits after the point: no page says how others are rounded. If the documents do not say what another text gives, it
 * is refused when it occurs.
 */
function formatted(call: TypedCall, format: string, isTry: boolean): Typed | undefined {
  const size = call.values.length === 2 ? { precision: 38, scale: 0 } : sizeOf(call, 2);
  if (size === undefined || call.values[0]?.type.name !== 'VARCHAR') return undefined;
  const [whole = '', decimals = ''] = format.split('.');
  if (!/^(?:9{1,38}|9{1,3}(?:,999){1,11})(?:\.9{1,37})?$/.test(format))
    return refuseFormat(call, 'only 9, commas between groups of three, and a point are supported');
  const groups = whole.split(',').length - 1;
  const digits = whole.replaceAll(',', '').length;
  const places = decimals.length;
  if (places > size.scale || digits + size.scale > 38) return undefined;
  const target = decimal(size.precision, size.scale);
  const value = text(call, 0);
  const wholeForm = groups === 0 ? `\\d{1,${digits}}` : `\\d{1,3}(,\\d{3}){0,${groups}}`;
  const form = places === 0 ? wholeForm : `${wholeForm}\\.\\d{${places}}`;
  const plain = `replace(${value}, ',', '')`;
  const length = digits + (places === 0 ? 0 : places + 1);
  const fits = `regexp_full_match(${value}, '${form}') AND length(${plain}) <= ${length}`;
  const isNone = `${value} = '' OR regexp_matches(${value}, '[^-+0-9,.$() eE]')`;
  const none = isTry ? 'NULL' : `error('Numeric value ''' || ${value} || ''' is not recognized')`;
  const other = `error('Millrace does not support the number text ''' || ${value} || ''' in the format ''${format}''')`;
  const type = duckType(target);
  return {
    sql: `CASE WHEN ${value} IS NULL THEN NULL WHEN ${fits} THEN TRY_CAST(${plain} AS ${type}) WHEN ${isNone} THEN ${none} ELSE CAST(${other} AS ${type}) END`,
    type: target,
  };
}

function castTo(call: TypedCall, type: Typed['type'], isTry: boolean): Typed {
  const [value] = call.values;
  if (value === undefined) throw new Error('no argument');
  return cast(value, type, call.at, call.writing, isTry);
}
