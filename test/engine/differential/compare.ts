import { isList } from '../../../lib/core/values/is-list.ts';
import type { SqlType } from '../../../engine/core/sql-type.ts';
import { SqlError } from '../../../engine/core/refusal.ts';
import { parseJson } from '../../../engine/duckdb/values/read-value.ts';
import type { Rows, Value, Warehouse } from '../../../engine/duckdb/connection/warehouse.ts';
import { ComponentFailure } from '../../../engine/transformation/open-transformation.ts';
import { type GivenTable, transform } from '../transformation/transform.ts';
import type { DifferentialCase } from './differential-case.ts';
import { type Postgres, PostgresError } from './postgres.ts';
import { postgresTables } from './random-tables.ts';

type Tables = Readonly<Record<string, GivenTable>>;

interface Both {
  readonly engine: readonly string[];
  readonly oracle: readonly string[];
}

/**
 * Both results as sorted lines. A value that a statement cannot take is a line too: both must fail, with messages of
 * their own, and a table that was there before must be unchanged.
 */
export async function bothResults(
  testCase: DifferentialCase,
  tables: Tables,
  { warehouse, postgres }: { readonly warehouse: Warehouse; readonly postgres: Postgres },
): Promise<Both> {
  const { result = 'output', statements = '', query } = testCase;
  const [actual, expected] = await Promise.all([
    resultOf(engineRows(testCase, result, tables, warehouse), testCase),
    resultOf(postgres.rows(`${postgresTables(tables)}${statements}`, query), testCase),
  ]);
  if (actual !== 'an error' && expected !== 'an error') return linesOfBoth(actual, expected);
  if (actual !== expected || tables[result] === undefined)
    return { engine: [wordOf(actual)], oracle: [wordOf(expected)] };
  const unchanged = postgres.rows(postgresTables(tables), `SELECT * FROM "${result}"`);
  return linesOfBoth(await rowsOf(result, warehouse), await unchanged);
}

function linesOfBoth(actual: Rows, expected: readonly (readonly (string | null)[])[]): Both {
  const types = actual.columns.map(({ type }) => type);
  return {
    engine: actual.rows.map((row) => lineOf(row, types)).toSorted(),
    oracle: expected
      .map((row) =>
        lineOf(
          row.map((cell, index) => valueOf(cell, types[index])),
          types,
        ),
      )
      .toSorted(),
  };
}

function wordOf(result: unknown): string {
  return result === 'an error' ? 'an error' : 'rows';
}

/** A refusal, or a mistake in the oracle's SQL, is not an answer: the case itself would be wrong. */
async function resultOf<Result>(
  work: Promise<Result>,
  { mayFail }: DifferentialCase,
): Promise<Result | 'an error'> {
  try {
    return await work;
  } catch (error) {
    const cause = error instanceof ComponentFailure ? error.cause : error;
    const isOfData = cause instanceof PostgresError ? cause.isOfData : cause instanceof SqlError;
    if (mayFail && isOfData) return 'an error';
    throw error;
  }
}

async function engineRows(
  testCase: DifferentialCase,
  table: string,
  tables: Tables,
  warehouse: Warehouse,
): Promise<Rows> {
  await transform(componentsText(testCase), { tables, warehouse });
  return await rowsOf(table, warehouse);
}

/** The components of a transformation as its file has them. */
export function componentsText({
  components,
  result,
}: Pick<DifferentialCase, 'components' | 'result'>): string {
  const entries = Object.entries(components);
  const last = entries.at(-1)?.[0] ?? '';
  const writer = { type: 'rewrite-table', sources: [last], parameters: { targetTable: 'output' } };
  const all = result === undefined ? [...entries, ['Write the output', writer] as const] : entries;
  return all.map(([name, component]) => `${JSON.stringify(name)}: ${JSON.stringify(component)}\n`).join('');
}

function rowsOf(table: string, warehouse: Warehouse): Promise<Rows> {
  const entry = warehouse.catalog.find({ database: 'DB', schema: 'S', table });
  if (entry === undefined) throw new Error(`no table ${table}`);
  return warehouse.query(`SELECT * FROM ${entry.sql}`, { maxRows: 100_000 });
}

function lineOf(row: readonly Value[], types: readonly SqlType[]): string {
  return JSON.stringify(row.map((value, index) => canonical(value, types[index])));
}

/** Numbers by value, floating-point numbers to twelve digits, booleans as PostgreSQL writes them. */
function canonical(value: Value, type: SqlType | undefined): Value {
  if (value === null) return null;
  if (type?.name === 'VARIANT') return sorted(value);
  if (type?.name === 'FLOAT') return String(Number(Number(value).toPrecision(12)));
  if (typeof value === 'object') throw new Error('a list or a map that is not semi-structured');
  if (typeof value === 'boolean') return value ? 't' : 'f';
  return type?.name === 'NUMBER' ? trimmed(String(value)) : String(value);
}

/** What PostgreSQL writes as a text. */
function valueOf(cell: string | null, type: SqlType | undefined): Value {
  return cell !== null && type?.name === 'VARIANT' ? parseJson(cell) : cell;
}

/** A semi-structured value with its keys in order. */
function sorted(value: Value): Value {
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map((item) => sorted(item ?? null));
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return members.map(([key, member]) => [key, sorted(member)]);
}

function trimmed(number: string): string {
  const text = number.includes('.') ? number.replace(/\.?0+$/, '') : number;
  return text === '-0' ? '0' : text;
}
