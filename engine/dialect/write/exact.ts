import type { SqlType } from '../../core/sql-type.ts';
import { FUNCTIONS } from '../../duckdb/functions.ts';
import { digitsOf, duckType, type Typed } from './typed.ts';

/** The quotient of two exact numbers, rounded half away from zero to the places of a type. Fails for a divisor of 0. */
export function exactQuotient(a: Typed, b: Typed, type: SqlType): Typed {
  const shift = scaleOf(type) + scaleOf(b.type) - scaleOf(a.type);
  return scaled(`${FUNCTIONS.quotient}(${digits(a)}, ${shift}, ${digits(b)})`, type);
}

/** The product of two exact numbers, rounded half away from zero to the places of a type. */
export function exactProduct(a: Typed, b: Typed, type: SqlType): Typed {
  const shift = scaleOf(a.type) + scaleOf(b.type) - scaleOf(type);
  return scaled(`${FUNCTIONS.product}(${digits(a)}, ${digits(b)}, ${shift})`, type);
}

/** The rest of the division of two exact numbers, with the sign of the first. Fails for a divisor of 0. */
export function exactRemainder(a: Typed, b: Typed, type: SqlType): Typed {
  const shifts = [a, b].map((value) => scaleOf(type) - scaleOf(value.type));
  return scaled(`${FUNCTIONS.remainder}(${digits(a)}, ${shifts[0]}, ${digits(b)}, ${shifts[1]})`, type);
}

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

/** The opposite of `digits`. */
function scaled(sql: string, type: SqlType): Typed {
  const scale = scaleOf(type);
  if (scale === 0) return { sql: `CAST(${sql} AS ${duckType(type)})`, type };
  const unit = `CAST('0.${'0'.repeat(scale - 1)}1' AS DECIMAL(${scale}, ${scale}))`;
  return { sql: `CAST(CAST(${sql} AS DECIMAL(38, 0)) * ${unit} AS ${duckType(type)})`, type };
}
