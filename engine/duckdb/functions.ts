import type { DuckDBConnection, DuckDBVector } from '@duckdb/node-api';
import type { Duckdb } from './load-duckdb.ts';

/** The engine's own functions in DuckDB's SQL. Exact numbers are whole numbers there: 1.25 is 125, with two places. */
export const FUNCTIONS = {
  /** `(a, shift, b)`: a × 10^shift / b, rounded half away from zero. */
  quotient: 'millrace_quotient',
  /** `(a, b, shift)`: a × b / 10^shift, rounded half away from zero. */
  product: 'millrace_product',
  /** `(a, shift, b, shift)`: the rest of the division, with the sign of the first. */
  remainder: 'millrace_remainder',
} as const;

/** DuckDB divides decimals as floating-point numbers. NULL in any argument gives NULL. */
export function registerFunctions(duckdb: Duckdb, connection: DuckDBConnection): void {
  const { HUGEINT, INTEGER } = duckdb;
  const register = (
    name: string,
    parameterTypes: readonly (typeof HUGEINT | typeof INTEGER)[],
    compute: (given: readonly bigint[]) => bigint,
  ): void => {
    const given = { name, parameterTypes, returnType: HUGEINT };
    const mainFunction: MainFunction = (info, input, output) => {
      try {
        const columns = parameterTypes.map((_, index) => input.getColumnVector(index));
        for (let row = 0; row < input.rowCount; row += 1) output.setItem(row, valueOf(columns, row, compute));
        output.flush();
      } catch (error) {
        info.setError(error instanceof Error ? error.message : String(error));
      }
    };
    connection.registerScalarFunction(duckdb.DuckDBScalarFunction.create({ ...given, mainFunction }));
  };
  register(FUNCTIONS.quotient, [HUGEINT, INTEGER, HUGEINT], ([a = 0n, shift = 0n, b = 0n]) =>
    shift < 0n ? divide(a, b * 10n ** -shift) : divide(a * 10n ** shift, b),
  );
  register(FUNCTIONS.product, [HUGEINT, HUGEINT, INTEGER], ([a = 0n, b = 0n, shift = 0n]) =>
    divide(a * b, 10n ** shift),
  );
  register(
    FUNCTIONS.remainder,
    [HUGEINT, INTEGER, HUGEINT, INTEGER],
    ([a = 0n, shift = 0n, b = 0n, other = 0n]) => {
      if (b === 0n) throw new Error('Division by zero');
      return (a * 10n ** shift) % (b * 10n ** other);
    },
  );
}

type MainFunction = Parameters<Duckdb['DuckDBScalarFunction']['create']>[0]['mainFunction'];

/** The largest number of digits that a warehouse has. */
const limit = 10n ** 38n;

function valueOf(
  columns: readonly DuckDBVector[],
  row: number,
  compute: (given: readonly bigint[]) => bigint,
): bigint | null {
  const given: bigint[] = [];
  for (const column of columns) {
    const value = column.getItem(row);
    if (typeof value === 'bigint') given.push(value);
    else if (typeof value === 'number') given.push(BigInt(value));
    else return null;
  }
  const value = compute(given);
  if (value < limit && value > -limit) return value;
  throw new Error('the number has more than 38 digits');
}

function divide(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new Error('Division by zero');
  const [top, bottom] = [a < 0n ? -a : a, b < 0n ? -b : b];
  const rounded = (2n * top + bottom) / (2n * bottom);
  return a < 0n === b < 0n ? rounded : -rounded;
}
