import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openWarehouse, type SqlType } from '../../../engine/index.ts';
import { importParquet, parquetColumns } from '../../../engine/tables/import-parquet.ts';
import { parquetFiles } from './parquet.ts';

const number = (precision: number, scale: number): SqlType => ({ name: 'NUMBER', precision, scale });
const text = (length?: number): SqlType => ({ name: 'VARCHAR', length });

/** An expression of DuckDB, the type of the column, and what becomes of it: a value, or undefined if it does not fit. */
const cases: readonly (readonly [sql: string, type: SqlType, value: unknown])[] = [
  ['7::BIGINT', number(38, 0), 7],
  ['7::INTEGER', { name: 'BIGINT' }, 7],
  ['7::UBIGINT', number(38, 0), 7],
  ['7::BIGINT', number(3, 2), '7.00'],
  ['70::BIGINT', number(3, 2), undefined],
  ['1.50::DECIMAL(10,2)', number(10, 1), '1.5'],
  ['1.55::DECIMAL(10,2)', number(10, 1), undefined],
  ['0.1::DOUBLE', number(10, 2), '0.10'],
  ['0.123::DOUBLE', number(10, 2), undefined],
  ["'1.50'", number(10, 1), '1.5'],
  ["'1.55'", number(10, 1), undefined],
  ["'1e2'", number(10, 1), undefined],
  ["'x'", number(10, 1), undefined],
  ["DATE '2026-01-02'", number(38, 0), undefined],
  ['7::BIGINT', { name: 'FLOAT' }, 7],
  ['9007199254740993::BIGINT', { name: 'FLOAT' }, undefined],
  ["'2026-01-02'", { name: 'DATE' }, '2026-01-02'],
  ["'soon'", { name: 'DATE' }, undefined],
  ["TIMESTAMP '2026-01-02'", { name: 'DATE' }, '2026-01-02'],
  ["TIMESTAMP '2026-01-02 03:04:05'", { name: 'DATE' }, undefined],
  ["DATE '2026-01-02'", { name: 'TIMESTAMP' }, '2026-01-02 00:00:00'],
  ["TIMESTAMP_NS '2026-01-02 03:04:05.123456'", { name: 'TIMESTAMP' }, '2026-01-02 03:04:05.123456'],
  ["TIMESTAMP_NS '2026-01-02 03:04:05.123456789'", { name: 'TIMESTAMP' }, undefined],
  ["TIMESTAMPTZ '2026-01-02 03:04:05+02'", { name: 'TIMESTAMP' }, '2026-01-02 01:04:05'],
  ["TIMESTAMP '2026-01-02 03:04:05'", { name: 'TIMESTAMP_TZ' }, '2026-01-02 03:04:05+00:00'],
  ['5::BIGINT', { name: 'TIMESTAMP' }, undefined],
  ["TIME '03:04:05'", { name: 'TIME' }, '03:04:05'],
  ['true', { name: 'BOOLEAN' }, true],
  ["'true'", { name: 'BOOLEAN' }, true],
  ['1::INTEGER', { name: 'BOOLEAN' }, undefined],
  ["'\\xAB'::BLOB", { name: 'BINARY' }, 'AB'],
  ["'AB'", { name: 'BINARY' }, undefined],
  ["'abc'", text(3), 'abc'],
  ["'abcd'", text(3), undefined],
  ['7::BIGINT', text(), '7'],
  ["'abc'::BLOB", text(), 'abc'],
  ["'\\xFF'::BLOB", text(), undefined],
  [`'{"b": 1, "a": [1.50]}'`, { name: 'VARIANT' }, { a: [1.5], b: 1 }],
  ["'{'", { name: 'VARIANT' }, undefined],
  ["{'b': 1, 'a': [2]}", { name: 'VARIANT' }, { a: [2], b: 1 }],
  ["'x'::BLOB", { name: 'VARIANT' }, undefined],
];

test('a value gets the type of its column if the type holds it exactly; other columns are named with a count', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-test-'));
  const file = path.join(folder, 'rows.parquet');
  const list = cases.map(([sql], index) => `${sql} AS c${index}`).join(', ');
  const nulls = cases.map(() => 'NULL').join(', ');
  writeFileSync(file, (await parquetFiles(`SELECT ${list} UNION ALL SELECT ${nulls}`))[0] ?? '');
  await using warehouse = await openWarehouse({
    kind: 'WAREHOUSE_ONE',
    memoryLimit: '100MB',
    openFiles: [file],
  });
  const sources = await parquetColumns([file], warehouse, 'WAREHOUSE_ONE');
  const columns = sources.map((source, index) => ({
    source,
    column: { name: source.name.toUpperCase(), type: cases[index]?.[1] ?? text() },
  }));
  const import1 = (chosen: typeof columns) =>
    importParquet('main.t', { files: [file], columns: chosen }, warehouse, 'WAREHOUSE_ONE');
  const { rows, misfits } = await import1(columns);
  const wrong = cases.flatMap(([, , value], index) => (value === undefined ? [`C${index}`] : []));
  expect(rows).toBe(0);
  expect(misfits.map(({ column, rows: count }) => [column.name, count])).toEqual(
    wrong.map((name) => [name, 1]),
  );
  const fitting = columns.filter(({ column }) => !wrong.includes(column.name));
  expect(await import1(fitting)).toEqual({ rows: 2, misfits: [] });
  const { rows: read } = await warehouse.query('SELECT * FROM main.t ORDER BY ALL NULLS LAST', {
    maxRows: 3,
  });
  expect(read[0]).toEqual(cases.flatMap(([, , value]) => (value === undefined ? [] : [value])));
  expect(read[1]?.every((value) => value === null)).toBe(true);
  await expect(parquetColumns([`${file}x`], warehouse, 'WAREHOUSE_ONE')).rejects.toThrow('not allowed');
  rmSync(folder, { recursive: true, force: true });
});
