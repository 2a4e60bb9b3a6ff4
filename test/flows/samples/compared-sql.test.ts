import { expect, test } from 'vitest';
import type { SqlType } from '../../../engine/index.ts';
import { comparableAcross, comparableOfValue } from '../../../flows/pipeline-tests/compare/compare-values.ts';
import { comparedSql } from '../../../flows/samples/compared-sql.ts';
import { openTestWarehouse } from '../../../flows/pipeline-tests/run/open-test-warehouse.ts';

/** Columns of each type, with values that may be equal to values of other types. */
const columns: readonly (readonly [type: SqlType, values: readonly string[]])[] = [
  [{ name: 'NUMBER', precision: 38, scale: 0 }, ['0', '7', '-12', '20240102', '12345678901234567890123']],
  [{ name: 'NUMBER', precision: 12, scale: 2 }, ['0.00', '7.00', '7.50', '-12.00', '0.05']],
  [{ name: 'NUMBER', precision: 12, scale: 4 }, ['0.0000', '7.5000', '0.0501']],
  [{ name: 'BIGINT' }, ['7', '-12']],
  [{ name: 'FLOAT' }, ['0', '-0', '7.5', '0.05', '1e300', '1e-7', 'nan', 'inf', '-inf']],
  [
    { name: 'VARCHAR', length: undefined },
    [
      '',
      '0',
      '7',
      '007',
      '7.50',
      '-0',
      '0.05',
      ' 7',
      '1e-07',
      'true',
      'TRUE',
      '2024-01-02',
      '2024-01-02 00:00:00',
      '2024-01-02T03:04:05',
      '03:04:05',
      'nan',
      'inf',
      '-inf',
      'AB',
      'null',
      '{"a":1}',
      '{ "a": 1 }',
      'é',
    ],
  ],
  [{ name: 'BOOLEAN' }, ['true', 'false']],
  [{ name: 'DATE' }, ['2024-01-02', '2024-01-03']],
  [{ name: 'TIME' }, ['03:04:05', '03:04:05.5']],
  [{ name: 'TIMESTAMP' }, ['2024-01-02 00:00:00', '2024-01-02 03:04:05', '2024-01-02 03:04:05.25']],
  [{ name: 'TIMESTAMP_TZ' }, ['2024-01-02 00:00:00+00', '2024-01-02 03:04:05+00', '2024-01-02 03:04:05+02']],
  [
    { name: 'VARIANT' },
    ['7', '7.5', '"7"', '"abc"', 'true', 'null', '"null"', '[1,2]', '{"a":1}', '"2024-01-02"', '""'],
  ],
];

const duckdbTypes = [
  'DECIMAL(38,0)',
  'DECIMAL(12,2)',
  'DECIMAL(12,4)',
  'BIGINT',
  'DOUBLE',
  'VARCHAR',
  'BOOLEAN',
  'DATE',
  'TIME',
  'TIMESTAMP',
  'TIMESTAMPTZ',
  'JSON',
];

/** docs/data-diff.md says so: a text with JSON is equal to semi-structured data only if it is written as the engine writes it. */
const isWrittenInAnotherWay = (values: readonly unknown[]) => values.includes('{ "a": 1 }');

test('two columns are equal in SQL where they are equal in memory, for every pair of types', async () => {
  await using warehouse = await openTestWarehouse({ kind: 'WAREHOUSE_ONE' });
  const wrong: string[] = [];
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
  for (const [left, [leftType, leftValues]] of columns.entries())
    for (const [right, [rightType, rightValues]] of columns.entries()) {
      const [before, after] = comparedSql(leftType, rightType);
      const side = (values: readonly string[], type: string) =>
        `SELECT CAST(column0 AS ${type}) AS c FROM (VALUES ${[...values.map(text), 'NULL'].map((value) => `(${value})`).join(', ')}) AS q(column0)`;
      const { rows } = await warehouse.query(
        `SELECT l.c, r.c, ${before('l.c')} IS NOT DISTINCT FROM ${after('r.c')} FROM (${side(leftValues, duckdbTypes[left] ?? '')}) AS l, (${side(rightValues, duckdbTypes[right] ?? '')}) AS r`,
        { maxRows: 10_000, tellsJsonNull: true },
      );
      for (const [a = null, b = null, isEqual] of rows) {
        const keys =
          leftType.name === rightType.name
            ? [comparableOfValue(a, leftType, 'as itself'), comparableOfValue(b, rightType, 'as itself')]
            : [comparableAcross(a, leftType, rightType), comparableAcross(b, rightType, leftType)];
        const inMemory = keys[0]?.key === keys[1]?.key;
        if (inMemory !== isEqual && !isWrittenInAnotherWay([a, b]))
          wrong.push(
            `${leftType.name} ${JSON.stringify(a)} and ${rightType.name} ${JSON.stringify(b)}: in memory ${inMemory}, in SQL ${JSON.stringify(isEqual)}`,
          );
      }
    }
  expect(wrong).toEqual([]);
});
