import * as fc from 'fast-check';
import type { SqlType } from '../../../engine/core/sql-type.ts';
import { writeJson } from '../../../engine/duckdb/values/read-value.ts';
import type { Value } from '../../../engine/duckdb/connection/warehouse.ts';
import {
  BOOLEAN,
  DATE,
  decimal,
  FLOAT,
  type GivenTable,
  NUMBER,
  TEXT,
  TIMESTAMP,
  VARIANT,
} from '../transformation/transform.ts';
import { randomDocument } from './random-document.ts';

/** The columns of the tables that cases read and write. */
export const shapes = {
  /** Each type; of some types two, so that they can be unpivoted. */
  plain: {
    ID: NUMBER,
    NAME: TEXT,
    NOTE: TEXT,
    AMOUNT: decimal(10, 2),
    TOTAL: decimal(10, 2),
    PART: decimal(12, 5),
    RATE: FLOAT,
    DAY: DATE,
    AT: TIMESTAMP,
    OK: BOOLEAN,
  },
  /** The same names with other types. */
  other: {
    ID: decimal(12, 2),
    NAME: TEXT,
    NOTE: TEXT,
    AMOUNT: FLOAT,
    TOTAL: decimal(10, 2),
    PART: decimal(12, 5),
    RATE: decimal(9, 3),
    DAY: TIMESTAMP,
    AT: DATE,
    OK: TEXT,
  },
  docs: { ID: NUMBER, NAME: TEXT, DOC: VARIANT },
  /** Texts that are values of other types, most of them. */
  texts: { ID: NUMBER, N: TEXT, D: TEXT, T: TEXT, B: TEXT },
  target: {
    ID: NUMBER,
    NAME: { name: 'VARCHAR', length: 8 },
    AMOUNT: decimal(12, 3),
    RATE: FLOAT,
    DAY: DATE,
    AT: TIMESTAMP,
    OK: BOOLEAN,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, SqlType>>>>;

export type Shape = keyof typeof shapes;

/** Few values, so that rows have duplicates, and now and then one of a wide range. */
function mostly<Some>(few: readonly Some[], wide: fc.Arbitrary<Some>): fc.Arbitrary<Some> {
  return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...few) }, { weight: 1, arbitrary: wide });
}

const fewTexts = ['a', 'b', 'B', '', ' a', 'ü€', "it's", 'NULL', '10', 'a,b,,c', 'x@y', 'e\u0301\t\\n'];

/** Without the characters that a literal of the warehouse's SQL cannot have. */
export const randomText: fc.Arbitrary<string> = mostly(
  fewTexts,
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll(/[\0\u0001]/g, '?')),
);

function day(offset: number): string {
  return new Date(offset * 86_400_000).toISOString().slice(0, 10);
}

const microseconds = fc.bigInt(-2_208_988_800_000_000n, 4_102_444_800_000_000n).map((count) => {
  const seconds = count / 1_000_000n - (count % 1_000_000n < 0n ? 1n : 0n);
  const fraction = String(count - seconds * 1_000_000n).padStart(6, '0');
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace('T', ' ')}.${fraction}`;
});

const decimals: Readonly<Record<number, readonly string[]>> = {
  2: ['0.10', '1.00', '-3.33', '99999999.99', '2.50', '2.51', '0.00'],
  3: ['0.125', '-1.005', '2.500', '10.000'],
  5: ['0.00001', '1.00000', '-3.33333', '2.50000', '0.00000'],
};

function scaled(digits: bigint, scale: number): string {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  return `${digits < 0n ? '-' : ''}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

const ofType: Readonly<Partial<Record<SqlType['name'], fc.Arbitrary<Value>>>> = {
  // Sums of them are exact in any order, and texts of them have at most 10 digits: longer ones are refused.
  FLOAT: mostly<Value>(
    [0.5, -1.25, 1_000_000, 0.125],
    fc.integer({ min: -3_199_999, max: 3_199_999 }).map((count) => count / 32),
  ),
  DATE: mostly<Value>(
    ['2024-02-29', '2023-12-31', '2024-01-01', '1970-01-01'],
    fc.integer({ min: -25_567, max: 47_482 }).map(day),
  ),
  TIMESTAMP: mostly<Value>(
    ['2024-02-29 23:59:59.999999', '2024-01-01 00:00:00', '1999-12-31 12:00:00.5'],
    microseconds,
  ),
  BOOLEAN: fc.boolean(),
  VARIANT: randomDocument,
};

function valuesOf(type: SqlType): fc.Arbitrary<Value> {
  if (type.name === 'NUMBER') return numberOf(type);
  const values = ofType[type.name];
  if (values !== undefined) return values;
  const length = type.name === 'VARCHAR' ? type.length : undefined;
  return length === undefined
    ? randomText
    : randomText.map((text) => Array.from(text).slice(0, length).join(''));
}

function numberOf({
  precision,
  scale,
}: {
  readonly precision: number;
  readonly scale: number;
}): fc.Arbitrary<Value> {
  if (scale === 0)
    return mostly<Value>([1, 2, 3, -7, 0], fc.integer({ min: -999_999_999, max: 999_999_999 }));
  const most = 10n ** BigInt(precision) - 1n;
  return mostly<Value>(
    decimals[scale] ?? [],
    fc.bigInt(-most, most).map((digits) => scaled(digits, scale)),
  );
}

/** Texts of other types: numbers, dates, timestamps and booleans, and seldom something else. */
const texts: Readonly<Record<string, fc.Arbitrary<Value>>> = {
  N: rarely(['1', '-2.5', '0.005', '1000000', ' 7 ', '12.50'], 'x'),
  D: rarely(['2024-02-29', '1970-01-01', '2023-12-31'], '2023-02-29'),
  T: rarely(['2024-02-29 23:59:59.5', '2024-01-01 00:00:00', '1999-12-31 12:00:00.123456'], 'noon'),
  B: rarely(['true', 'FALSE', 't', 'no', '1', 'off'], 'maybe'),
};

function rarely(good: readonly string[], bad: string): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 80, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: fc.constant(bad) },
  );
}

function randomTable(shape: Shape): fc.Arbitrary<GivenTable> {
  const columns: GivenTable['columns'] = shapes[shape];
  const values = Object.entries(columns).map(
    ([name, type]) => (shape === 'texts' ? texts[name] : undefined) ?? valuesOf(type),
  );
  const row = fc.tuple(...values.map((value) => fc.option(value, { freq: 4, nil: null })));
  return fc.array(row, { maxLength: 12 }).map((rows): GivenTable => ({ columns, rows }));
}

/** Tables with their names, each with 0 to 12 rows; a fifth of the values is NULL. */
export function randomTables(
  names: Readonly<Record<string, Shape>>,
): fc.Arbitrary<Readonly<Record<string, GivenTable>>> {
  return fc.record(
    Object.fromEntries(Object.entries(names).map(([name, shape]) => [name, randomTable(shape)])),
  );
}

/** The same tables for PostgreSQL. */
export function postgresTables(tables: Readonly<Record<string, GivenTable>>): string {
  return Object.entries(tables)
    .map(([name, table]) => {
      const definitions = Object.entries(table.columns).map(([column, type]) => definition(column, type));
      const rows = table.rows.map((row) => `(${row.map(literal).join(', ')})`);
      const insert = rows.length === 0 ? '' : `INSERT INTO "${name}" VALUES ${rows.join(', ')};`;
      return `CREATE TEMP TABLE "${name}" (${definitions.join(', ')}); ${insert}`;
    })
    .join('\n');
}

/** A text of a limited length is a check: PostgreSQL's own type cuts blanks at the end without an error. */
function definition(column: string, type: SqlType): string {
  if (type.name === 'VARCHAR' && type.length !== undefined)
    return `"${column}" text CHECK (char_length("${column}") <= ${type.length})`;
  return `"${column}" ${postgresType(type)}`;
}

function postgresType(type: SqlType): string {
  if (type.name === 'NUMBER') return `numeric(${type.precision}, ${type.scale})`;
  if (type.name === 'VARCHAR') return 'text';
  if (type.name === 'VARIANT') return 'jsonb';
  return type.name === 'FLOAT' ? 'double precision' : type.name;
}

/** A value as a literal of PostgreSQL. */
export function literal(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'object') return literal(writeJson(value));
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
