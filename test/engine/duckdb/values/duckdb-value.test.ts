import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LongDecimal } from '../../../../engine/core/long-decimal.ts';
import type { SqlType } from '../../../../engine/core/sql-type.ts';
import { loadDuckdb } from '../../../../engine/duckdb/connection/load-duckdb.ts';
import type { Value, Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { directReader } from '../../../../engine/duckdb/values/duckdb-value.ts';
import { openWarehouse } from '../../../../engine/duckdb/open-warehouse.ts';

const duckdb = await loadDuckdb();

const moments = [
  '0001-01-01 00:00:00',
  '0099-12-31 23:59:59.9',
  '1582-10-10 12:00:00',
  '1969-12-31 23:59:59.999999',
  '1970-01-01 00:00:00.000001',
  '2000-02-28 10:20:30.120000',
  '2026-11-30 01:02:03.04',
  '9999-12-31 23:59:59.999999',
];

const cases: readonly (readonly [SqlType, readonly Value[]])[] = [
  [
    { name: 'NUMBER', precision: 38, scale: 0 },
    [
      '0',
      '-0',
      '7',
      '-12',
      '9007199254740993',
      '9'.repeat(37),
      `-${'9'.repeat(37)}`,
      5,
      -5,
      2 ** 53,
      10n ** 36n,
    ],
  ],
  [
    { name: 'NUMBER', precision: 38, scale: 10 },
    ['1.5', '-0.0000000001', '123456789012345678901234567.1234567891', 0.25, -3],
  ],
  [{ name: 'NUMBER', precision: 4, scale: 2 }, ['1.5', '-9.99', '0', -0.5]],
  [{ name: 'NUMBER', precision: 9, scale: 3 }, ['12345.678', '-0.001']],
  [{ name: 'NUMBER', precision: 18, scale: 2 }, ['999999999999999.99', '-0.01']],
  [{ name: 'SMALLINT' }, ['9999', '-9999', 12]],
  [{ name: 'INTEGER' }, ['999999999', '-1', 7]],
  [{ name: 'BIGINT' }, ['999999999999999999', '-999999999999999999', 42, 12345678901234567n]],
  [{ name: 'FLOAT' }, ['0.1', '-0', '123456789.123456', 0.1, -0, 1e300, 5e-324, 2 ** 53]],
  [{ name: 'BOOLEAN' }, ['true', 'false', true, false]],
  [{ name: 'DATE' }, ['0001-01-01', '0099-02-28', '1969-12-31', '2024-01-31', '2026-11-30', '9999-12-31']],
  [{ name: 'TIME' }, ['00:00:00', '23:59:59.999999', '12:30:00.05']],
  [{ name: 'TIMESTAMP' }, moments],
  [{ name: 'TIMESTAMP_TZ' }, moments.map((text) => `${text}+00:00`)],
  [
    { name: 'VARCHAR', length: undefined },
    ['', 'a', 'é', '\u{1F600}', '\uFEFFmark', 'a\0b', 'x'.repeat(100_000), 12, true, -0],
  ],
  [{ name: 'VARCHAR', length: 3 }, ['a', '']],
  [
    { name: 'VARIANT' },
    [
      { b: 1, a: [null, 'x', 1.5, true] },
      [],
      {},
      'text',
      12,
      new LongDecimal('1.123456789012345678901'),
      '\u0001',
    ],
  ],
];

describe.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)('in %s', (kind) => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openWarehouse({ kind, memoryLimit: '500MB' });
  });
  afterAll(() => warehouse[Symbol.asyncDispose]());

  test.each(cases)(
    '$name has the same value, written directly or converted by DuckDB',
    async (type, values) => {
      const columns = [
        { name: 'PLACE', type: { name: 'FLOAT' } as const },
        { name: 'VALUE', type },
      ];
      const rows = [...values, null].map((value, place): readonly Value[] => [place, value]);
      const name = { database: 'DB', schema: 'S' };
      const direct = await warehouse.createTable({ ...name, table: 'DIRECT' }, columns, []);
      const converted = await warehouse.createTable({ ...name, table: 'CONVERTED' }, columns, []);
      const read = directReader(duckdb, type, kind);
      for (const value of values) expect(read(value as Exclude<Value, null>)).toBeDefined();
      await warehouse.changeRows(direct, { columns, key: [], removed: [], added: rows });
      await warehouse.insertRows(converted, columns, rows);
      const rowsOf = async (table: string) =>
        (
          await warehouse.query(`SELECT *, CAST("VALUE" AS VARCHAR) FROM "DB.S".${table} ORDER BY "PLACE"`, {
            maxRows: 100,
          })
        ).rows;
      expect(await rowsOf('DIRECT')).toEqual(await rowsOf('CONVERTED'));
    },
  );
});

test.each<readonly [SqlType, readonly Exclude<Value, null>[]]>([
  [
    { name: 'NUMBER', precision: 38, scale: 0 },
    ['1.5', '1e3', ' 1', '9'.repeat(38), 'x', 1.5, Number.NaN, { a: 1 }],
  ],
  [{ name: 'NUMBER', precision: 4, scale: 2 }, ['10', '1.234', 10]],
  [{ name: 'SMALLINT' }, ['10000', 32_768]],
  [{ name: 'BIGINT' }, ['9223372036854775808', 2 ** 63]],
  [{ name: 'FLOAT' }, ['0.1234567', Number.NaN, Number.POSITIVE_INFINITY, '1e400']],
  [{ name: 'BOOLEAN' }, ['t', 1]],
  [{ name: 'DATE' }, ['2023-02-29', '2024-04-31', '0000-01-01', '10000-01-01', 'infinity']],
  [{ name: 'TIMESTAMP' }, ['2024-01-01 24:00:00', '2024-01-01 00:00:00+00:00', '0044-03-15 00:00:00 BC']],
  [{ name: 'TIMESTAMP_TZ' }, ['2024-01-01 00:00:00', '2024-01-01 00:00:00+01:00']],
  [{ name: 'VARCHAR', length: 3 }, ['abcd']],
  [{ name: 'VARIANT', shape: 'ARRAY' }, [{ a: 1 }]],
  [{ name: 'BINARY' }, ['00']],
])('$name leaves a value that it may not hold to the conversion', (type, values) => {
  const read = directReader(duckdb, type, 'WAREHOUSE_ONE');
  expect(values.map((value) => read(value))).toEqual(values.map(() => undefined));
});
