import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Warehouse } from '../../../engine/duckdb/connection/warehouse.ts';
import { openSmall, valueOf } from './open.ts';

/** U+FEFF: at the beginning of a file a byte order mark, in a value a character like others. */
const mark = '\uFEFF';
const long = `${mark}${'x'.repeat(40)}`;

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openSmall();
});
afterAll(() => warehouse[Symbol.asyncDispose]());

test.each<[what: string, sql: string, value: unknown]>([
  ['a text', `SELECT '${mark}a'`, `${mark}a`],
  ['the mark alone', `SELECT '${mark}'`, mark],
  ['two marks', `SELECT '${mark}${mark}a'`, `${mark}${mark}a`],
  ['a long text', `SELECT '${long}'`, long],
  ['the items of a list', `SELECT ['${mark}a', 'b']`, [`${mark}a`, 'b']],
  ['a nested list', `SELECT [['${long}']]`, [[long]]],
  ['a structure', `SELECT {'${mark}k': '${mark}a'}`, { [`${mark}k`]: `${mark}a` }],
  ['the keys of a map', `SELECT MAP {'${mark}k': ['${mark}a']}`, { [`${mark}k`]: [`${mark}a`] }],
  ['JSON', `SELECT '{"${mark}k":["${mark}a"]}'::JSON`, { [`${mark}k`]: [`${mark}a`] }],
  ['a text in JSON', `SELECT '["${mark}a"]'::JSON ->> 0`, `${mark}a`],
  ['a parsed JSON', `SELECT millrace_json('{ "${mark}k": "${mark}a" }')::JSON`, { [`${mark}k`]: `${mark}a` }],
  ['what a function of the engine gets', `SELECT millrace_cut_to_bytes('${mark}abc', 4)`, `${mark}a`],
  ['an enumeration', `SELECT '${mark}a'::ENUM('${mark}a')`, `${mark}a`],
])('U+FEFF at the beginning stays: %s', async (_, sql, value) => {
  expect(await valueOf(warehouse, sql)).toEqual(value);
});

test('U+FEFF at the beginning stays in names of columns and tables', async () => {
  const name = { database: 'DB', schema: 'PUBLIC', table: `${mark}t` };
  const columns = [{ name: `${mark}a`, type: { name: 'VARCHAR', length: 3 } as const }];
  await warehouse.createTable(name, columns, [[`${mark}x`]]);

  await warehouse.refresh();
  const rows = await warehouse.query(`SELECT * FROM "DB.PUBLIC"."${mark}t"`, { maxRows: 1 });

  expect(warehouse.catalog.find(name)).toMatchObject({ table: `${mark}t`, columns });
  expect(rows.columns.map((column) => column.name)).toEqual([`${mark}a`]);
  expect(rows.rows).toEqual([[`${mark}x`]]);
});

test('U+FEFF at the beginning is shown in the message of an error', async () => {
  const failing = warehouse.query(`SELECT '${mark}a'::DATE`, { maxRows: 1 });
  await expect(failing).rejects.toThrow(String.raw`'\u{feff}a'`);
});
