import * as fc from 'fast-check';
import { expect } from 'vitest';
import { sourceText } from '../../../../../engine/core/source-text.ts';
import type { WarehouseKind } from '../../../../../engine/core/sql-type.ts';
import { translateQuery } from '../../../../../engine/dialect/translate.ts';
import { openWarehouse } from '../../../../../engine/duckdb/open-warehouse.ts';
import type { Warehouse } from '../../../../../engine/duckdb/connection/warehouse.ts';
import { contextOf } from '../orders.ts';

interface Operand {
  readonly precision: number;
  readonly scale: number;
}

type Pair = readonly [dividend: bigint | null, divisor: bigint | null];

interface Division {
  readonly kind: WarehouseKind;
  readonly operator: '/' | '%';
  readonly operands: readonly [Operand, Operand];
  /** The digits of each row, 125 for 1.25. */
  readonly pairs: readonly Pair[];
}

/** Divides random numbers of random types in the warehouse and with whole numbers of any size here. */
export async function compareDivisions({
  rounds,
  seed,
}: {
  readonly rounds: number;
  readonly seed: number;
}): Promise<void> {
  await using kindOne = await openWarehouse({ kind: 'WAREHOUSE_ONE', memoryLimit: '200MB' });
  await using kindTwo = await openWarehouse({ kind: 'WAREHOUSE_TWO', memoryLimit: '200MB' });
  const property = fc.asyncProperty(divisions, (division) =>
    compare(division, division.kind === 'WAREHOUSE_ONE' ? kindOne : kindTwo),
  );
  await fc.assert(property, { numRuns: rounds, seed });
}

const operands: fc.Arbitrary<Operand> = fc.integer({ min: 1, max: 38 }).chain((precision) =>
  fc.record({
    precision: fc.constant(precision),
    scale: fc.integer({ min: 0, max: Math.min(precision, 20) }),
  }),
);

const divisions: fc.Arbitrary<Division> = fc.tuple(operands, operands).chain(([first, second]) =>
  fc.record({
    kind: fc.constantFrom<WarehouseKind>('WAREHOUSE_ONE', 'WAREHOUSE_TWO'),
    operator: fc.constantFrom<'/' | '%'>('/', '/', '%'),
    operands: fc.constant([first, second] as const),
    pairs: fc.array(fc.tuple(digits(first), digits(second)), { minLength: 20, maxLength: 20 }),
  }),
);

/** Numbers of all sizes, the largest ones, 0, NULL, and powers of 2, whose quotients lie halfway between two numbers. */
function digits({ precision }: Operand): fc.Arbitrary<bigint | null> {
  const limit = 10n ** BigInt(precision) - 1n;
  const halves = Array.from({ length: 16 }, (_, power) => 2n ** BigInt(power)).filter(
    (half) => half <= limit,
  );
  const magnitude = fc.oneof(
    fc.integer({ min: 1, max: precision }).chain((count) => fc.bigInt(0n, 10n ** BigInt(count) - 1n)),
    fc.constantFrom(...halves),
    fc.constantFrom(limit, 0n),
  );
  const signed = fc
    .tuple(magnitude, fc.boolean())
    .map(([value, isNegative]) => (isNegative ? -value : value));
  return fc.option(signed, { freq: 12 });
}

async function compare(division: Division, warehouse: Warehouse): Promise<void> {
  const { kind, operator, pairs } = division;
  const fold = (name: string) => (kind === 'WAREHOUSE_ONE' ? name.toUpperCase() : name);
  const columns = division.operands.map((operand, index) => ({
    name: fold(index === 0 ? 'a' : 'b'),
    type: { name: 'NUMBER' as const, ...operand },
  }));
  const id = { name: fold('id'), type: { name: 'INTEGER' as const } };
  const rows = pairs.map((pair, index) => [
    index,
    ...pair.map((value, at) => decimalText(value, division.operands[at]?.scale ?? 0)),
  ]);
  const table = { database: fold('db'), schema: fold('s'), table: fold('t') };
  await warehouse.createTable(table, [id, ...columns], rows);
  await warehouse.refresh();
  const query = (text: string) => translateQuery(sourceText(text, 'query.sql'), contextOf(kind, warehouse));
  const type = query(`select a ${operator} b as x from t`).columns[0]?.type;
  if (type?.name !== 'NUMBER') throw new Error(`not exact: ${String(type?.name)}`);
  const expected = pairs.map((pair) => expectedOf(division, pair, type));
  const resultsOf = async (ids: readonly number[]) => {
    const text = `select cast(a ${operator} b as varchar) as x from t where id in (${ids.join(', ')}) order by id`;
    const result = await warehouse.query(query(text).sql, { maxRows: 100 });
    return result.rows.map(([value]) => value);
  };
  const [failing, fine] = [true, false].map((fails) =>
    expected.flatMap((value, index) => (value instanceof Error === fails ? [index] : [])),
  );
  if (fine?.length) expect(await resultsOf(fine)).toEqual(fine.map((index) => expected[index]));
  for (const index of failing ?? [])
    await expect(resultsOf([index])).rejects.toThrow(String(expected[index]).slice(7));
}

/** The text of the exact result, or the error. */
function expectedOf(
  { operator, operands: [first, second] }: Division,
  [a, b]: Pair,
  { scale }: Operand,
): string | null | Error {
  if (a === null || b === null) return null;
  if (b === 0n) return new Error('Division by zero');
  const power = (places: number) => 10n ** BigInt(places);
  const value =
    operator === '%'
      ? (a * power(scale - first.scale)) % (b * power(scale - second.scale))
      : halfAway(a * power(scale + second.scale), b * power(first.scale));
  const isTooLarge = (value < 0n ? -value : value) >= power(38);
  return isTooLarge ? new Error('the number has more than 38 digits') : decimalText(value, scale);
}

function halfAway(a: bigint, b: bigint): bigint {
  const [top, bottom] = [a < 0n ? -a : a, b < 0n ? -b : b];
  const rest = top % bottom;
  const quotient = top / bottom + (rest * 2n >= bottom ? 1n : 0n);
  return a < 0n === b < 0n ? quotient : -quotient;
}

function decimalText(value: bigint, scale: number): string;
function decimalText(value: bigint | null, scale: number): string | null;
function decimalText(value: bigint | null, scale: number): string | null {
  if (value === null) return null;
  const text = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  const point = text.length - scale;
  const decimal = scale === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`;
  return value < 0n ? `-${decimal}` : decimal;
}
