import type { SqlType } from '../../../engine/core/sql-type.ts';
import type { Rows, Value } from '../../../engine/duckdb/warehouse.ts';
import { type GivenTable, transform } from '../transformation/transform.ts';
import type { Postgres } from './postgres.ts';
import { postgresTables } from './random-tables.ts';

/** A transformation, and independent SQL for the same result: written for the meaning, not from the engine's text. */
export interface DifferentialCase {
  readonly title: string;
  /** The tables that it reads and writes, all with the columns of `random-tables.ts`. */
  readonly tables: readonly string[];
  /** The components as YAML. Without a writer, the last one is written to the table `output`. */
  readonly components: string;
  /** The table to compare. Default: `output`. */
  readonly result?: string;
  /** Statements of PostgreSQL that come before `query`. */
  readonly statements?: string;
  /** A query of PostgreSQL with the same columns in the same order. */
  readonly query: string;
}

const writer = (last: string) => `
Write the output:
  type: rewrite-table
  sources: [${JSON.stringify(last)}]
  parameters: { targetTable: output }
`;

/** Both results as sorted lines. An error is a line too: both must fail, with messages of their own. */
export async function bothResults(
  { components, result, statements = '', query }: DifferentialCase,
  tables: Readonly<Record<string, GivenTable>>,
  postgres: Postgres,
): Promise<{ readonly engine: readonly string[]; readonly oracle: readonly string[] }> {
  const last = [...components.matchAll(/^(\S.*):\s*$/gm)].at(-1)?.[1] ?? '';
  const text = result === undefined ? components.trimEnd() + writer(last) : components;
  const [found, expected] = await Promise.all([
    resultOf(engineRows(text, result ?? 'output', tables)),
    resultOf(postgres.rows(`${postgresTables(tables)}${statements}`, query)),
  ]);
  if (found === 'an error' || expected === 'an error')
    return { engine: [linesOf(found)].flat(), oracle: [linesOf(expected)].flat() };
  const types = found.columns.map(({ type }) => type);
  return {
    engine: found.rows.map((row) => lineOf(row, types)).toSorted(),
    oracle: expected.map((row) => lineOf(row, types)).toSorted(),
  };
}

function linesOf(result: unknown): string {
  return result === 'an error' ? 'an error' : 'rows';
}

async function resultOf<Result>(work: Promise<Result>): Promise<Result | 'an error'> {
  try {
    return await work;
  } catch (error) {
    // A refusal is not an answer: the case itself would be wrong.
    if (error instanceof Error && (error.message.includes('not supported') || /syntax/.test(error.message)))
      throw error;
    return 'an error';
  }
}

async function engineRows(
  components: string,
  table: string,
  tables: Readonly<Record<string, GivenTable>>,
): Promise<Rows> {
  await using done = await transform(components, { tables });
  return await done.read(table);
}

function lineOf(row: readonly Value[], types: readonly SqlType[]): string {
  return JSON.stringify(row.map((value, index) => canonical(value, types[index])));
}

/** Numbers by value, floating-point numbers to twelve digits, booleans as PostgreSQL writes them. */
function canonical(value: Value, type: SqlType | undefined): string | null {
  if (value === null) return null;
  if (type?.name === 'FLOAT') return String(Number(Number(value).toPrecision(12)));
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (typeof value === 'object') return JSON.stringify(value);
  return type?.name === 'NUMBER' ? trimmed(String(value)) : String(value);
}

function trimmed(number: string): string {
  const text = number.includes('.') ? number.replace(/\.?0+$/, '') : number;
  return text === '-0' ? '0' : text;
}
