import * as fc from 'fast-check';
import type { SqlType } from '../../../engine/core/sql-type.ts';
import type { Value } from '../../../engine/duckdb/warehouse.ts';
import {
  BOOLEAN,
  DATE,
  decimal,
  FLOAT,
  type GivenTable,
  NUMBER,
  TEXT,
  TIMESTAMP,
} from '../transformation/transform.ts';

/** The columns of every random table: one of each type, from few values, so that rows have duplicates. */
export const columns = {
  ID: NUMBER,
  NAME: TEXT,
  AMOUNT: decimal(10, 2),
  RATE: FLOAT,
  DAY: DATE,
  AT: TIMESTAMP,
  OK: BOOLEAN,
} as const satisfies Readonly<Record<string, SqlType>>;

const values: readonly fc.Arbitrary<Value>[] = [
  fc.constantFrom(1, 2, 3, -7, 0),
  fc.constantFrom('a', 'b', 'B', '', ' a', 'ü€', "it's", 'NULL', '10'),
  fc.constantFrom('0.10', '1.00', '-3.33', '99999999.99', '2.50', '2.51'),
  fc.constantFrom(0.5, -1.25, 1_000_000, 0.1),
  fc.constantFrom('2024-02-29', '2023-12-31', '2024-01-01', '1970-01-01'),
  fc.constantFrom('2024-02-29 23:59:59.999999', '2024-01-01 00:00:00', '1999-12-31 12:00:00.5'),
  fc.boolean(),
];

/** Tables by name, each with 0 to 12 rows; a fifth of the values is NULL. */
export function randomTables(names: readonly string[]): fc.Arbitrary<Readonly<Record<string, GivenTable>>> {
  const row = fc.tuple(...values.map((value) => fc.option(value, { freq: 4, nil: null })));
  const table = fc.array(row, { maxLength: 12 }).map((rows): GivenTable => ({ columns, rows }));
  return fc.record(Object.fromEntries(names.map((name) => [name, table])));
}

/** The same tables for PostgreSQL. */
export function postgresTables(tables: Readonly<Record<string, GivenTable>>): string {
  return Object.entries(tables)
    .map(([name, table]) => {
      const definitions = Object.entries(table.columns).map(
        ([column, type]) => `"${column}" ${postgresType(type)}`,
      );
      const rows = table.rows.map((row) => `(${row.map(literal).join(', ')})`);
      const insert = rows.length === 0 ? '' : `INSERT INTO "${name}" VALUES ${rows.join(', ')};`;
      return `DROP TABLE IF EXISTS "${name}"; CREATE TABLE "${name}" (${definitions.join(', ')}); ${insert}`;
    })
    .join('\n');
}

function postgresType(type: SqlType): string {
  if (type.name === 'NUMBER') return `numeric(${type.precision}, ${type.scale})`;
  if (type.name === 'VARCHAR') return type.length === undefined ? 'text' : `varchar(${type.length})`;
  return type.name === 'FLOAT' ? 'double precision' : type.name;
}

function literal(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'object') return literal(JSON.stringify(value));
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
