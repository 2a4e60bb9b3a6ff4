import type { SqlType } from '../../../core/sql-type.ts';
import { FUNCTIONS } from '../../../duckdb/values/functions.ts';
import { bind } from '../sql/bind.ts';
import { longDivision } from './long-division.ts';
import { narrowed } from './narrowed.ts';
import { digitsOf, duckType, type Typed } from '../sql/typed.ts';

// Each operation is computed in DuckDB's own arithmetic if the numbers of a row are small enough. Otherwise, and for a
// divisor of 0, the first value of `coalesce` is NULL, and the function in JavaScript computes the row.

/**
 * The SQL of the quotient of two exact numbers, rounded half away from zero to the decimal places of a type. Dividing
 * by 0 is an error.
 */
export function exactQuotient(a: Typed, b: Typed, type: SqlType): Typed {
  const shift = scaleOf(type) + scaleOf(b.type) - scaleOf(a.type);
  const sql = withOperands(a, b, (x, y) => {
    const exact = `CAST(${FUNCTIONS.quotient}(${digits(x)}, ${shift}, ${digits(y)}) AS DECIMAL(38, 0))`;
    const fast = longDivision(x, y, shift);
    return fast === undefined ? exact : `coalesce(${fast}, ${exact})`;
  });
  return scaled(sql, type);
}

/** The SQL of the product of two exact numbers, rounded half away from zero to the decimal places of a type. */
export function exactProduct(a: Typed, b: Typed, type: SqlType): Typed {
  const shift = scaleOf(a.type) + scaleOf(b.type) - scaleOf(type);
  return scaled(`${FUNCTIONS.product}(${digits(a)}, ${digits(b)}, ${shift})`, type);
}

/**
 * The SQL of the remainder of the division of two exact numbers, with the sign of the first number. Dividing by 0 is
 * an error.
 */
export function exactRemainder(a: Typed, b: Typed, type: SqlType): Typed {
  const scale = scaleOf(type);
  const shifts = [a, b].map((value) => scale - scaleOf(value.type));
  const sql = withOperands(a, b, (x, y) => {
    const operands = `${digits(x)}, ${shifts[0]}, ${digits(y)}, ${shifts[1]}`;
    const exact = unscaled(`${FUNCTIONS.remainder}(${operands})`, type);
    if (scale > SMALL) return exact;
    const [left, right] = [x, y].map((value) => narrowed(value, SMALL, scale));
    return `coalesce(CAST(${left} % ${right} AS DECIMAL(38, ${scale})), ${exact})`;
  });
  return { sql: `CAST(${sql} AS ${duckType(type)})`, type };
}

function withOperands(a: Typed, b: Typed, write: (a: Typed, b: Typed) => string): string {
  return bind('millrace_operands', [a.sql, b.sql], (x, y) => write({ ...a, sql: x }, { ...b, sql: y }));
}

/** The digits of the decimals that DuckDB computes in 64 bits. */
const SMALL = 18;

function scaleOf(type: SqlType): number {
  return digitsOf(type)?.scale ?? 0;
}

/** All digits of an exact number as a HUGEINT: 125 for 1.25. */
function digits({ sql, type }: Typed): string {
  const { precision, scale } = digitsOf(type) ?? { precision: 38, scale: 0 };
  if (scale === 0) return `CAST(${sql} AS HUGEINT)`;
  const value = `CAST(${sql} AS DECIMAL(38, ${scale}))`;
  if (precision + scale <= 38)
    return `CAST(${value} * CAST(1${'0'.repeat(scale)} AS DECIMAL(${scale + 1}, 0)) AS HUGEINT)`;
  // The product would have more digits than DuckDB's decimals.
  return `CAST(replace(CAST(${value} AS VARCHAR), '.', '') AS HUGEINT)`;
}

/** The opposite of `digits`, as a DECIMAL. */
function unscaled(sql: string, type: SqlType): string {
  const scale = scaleOf(type);
  if (scale === 0) return `CAST(${sql} AS DECIMAL(38, 0))`;
  const unit = `CAST('0.${'0'.repeat(scale - 1)}1' AS DECIMAL(${scale}, ${scale}))`;
  return `CAST(CAST(${sql} AS DECIMAL(38, 0)) * ${unit} AS DECIMAL(38, ${scale}))`;
}

function scaled(sql: string, type: SqlType): Typed {
  return { sql: `CAST(${unscaled(sql, type)} AS ${duckType(type)})`, type };
}
