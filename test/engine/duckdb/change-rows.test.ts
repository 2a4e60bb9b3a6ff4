import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Column, Table } from '../../../engine/core/relation.ts';
import type { RowChanges, Value, Warehouse } from '../../../engine/duckdb/connection/warehouse.ts';
import { openSmall } from './open.ts';

let warehouse: Warehouse;
let table: Table;
const columns: readonly Column[] = [
  { name: 'ID', type: { name: 'NUMBER', precision: 38, scale: 0 } },
  { name: 'PART', type: { name: 'VARCHAR', length: 3 } },
  { name: 'DATA', type: { name: 'VARIANT' } },
  { name: 'AT', type: { name: 'TIMESTAMP_TZ' } },
];

beforeAll(async () => {
  warehouse = await openSmall();
});

beforeEach(async () => {
  table = await warehouse.createTable({ database: 'DB', schema: 'PUBLIC', table: 'T' }, columns, [
    [1, 'a', { big: 'x' }, '2024-01-01 00:00:00+00:00'],
    [1, 'b', [1], null],
    [2, 'a', null, null],
  ]);
});

afterAll(() => warehouse[Symbol.asyncDispose]());

const change = (changes: Partial<RowChanges>) =>
  warehouse.changeRows(table, { columns, key: ['ID', 'PART'], removed: [], added: [], ...changes });

async function rows(): Promise<readonly (readonly Value[])[]> {
  return (await warehouse.query(`SELECT * FROM ${table.sql} ORDER BY ALL`, { maxRows: 100 })).rows;
}

test('rows are removed by their key, then added', async () => {
  await change({
    removed: [
      [1, 'b'],
      [9, 'z'],
    ],
    added: [
      [1, 'b', 7, null],
      [3, 'c', null, null],
    ],
  });
  expect(await rows()).toEqual([
    [1, 'a', { big: 'x' }, '2024-01-01 00:00:00+00:00'],
    [1, 'b', 7, null],
    [2, 'a', null, null],
    [3, 'c', null, null],
  ]);
});

test('a row takes values from the row that it replaces, also under another key', async () => {
  await change({
    removed: [
      [1, 'a'],
      [1, 'b'],
    ],
    completed: [
      { kept: [2, 3], rows: [{ origin: [1, 'a'], values: [8, 'n', null, null] }] },
      { kept: [2], rows: [{ origin: [1, 'b'], values: [1, 'b', 'ignored', '2025-05-05 05:05:05+00:00'] }] },
    ],
  });
  expect(await rows()).toEqual([
    [1, 'b', [1], '2025-05-05 05:05:05+00:00'],
    [2, 'a', null, null],
    [8, 'n', { big: 'x' }, '2024-01-01 00:00:00+00:00'],
  ]);
});

test('without the row whose values it takes, nothing changes', async () => {
  const before = await rows();
  const completed = [{ kept: [2], rows: [{ origin: [7, 'a'], values: [7, 'a', null, null] }] }];
  await expect(change({ removed: [[1, 'a']], completed })).rejects.toThrow(
    '1 of 1 rows could not be found in the table "DB.PUBLIC"."T", although the change takes unchanged values from them',
  );
  expect(await rows()).toEqual(before);
});

test('a value that does not fit its column is refused, and nothing changes', async () => {
  const before = await rows();
  await expect(change({ removed: [[1, 'a']], added: [[1, 'long', null, null]] })).rejects.toThrow(
    '"long" is not a VARCHAR(3), in column "PART"',
  );
  expect(await rows()).toEqual(before);
});

test('without a key, one of several equal rows is removed for each in the list, also rows with NULL', async () => {
  await change({
    key: [],
    added: [
      [2, 'a', null, null],
      [2, 'a', null, null],
      [2, 'a', null, null],
    ],
  });
  await change({
    key: [],
    removed: [
      [2, 'a', null, null],
      [2, 'a', null, null],
      [1, 'b', [1], null],
    ],
  });
  expect(await rows()).toEqual([
    [1, 'a', { big: 'x' }, '2024-01-01 00:00:00+00:00'],
    [2, 'a', null, null],
    [2, 'a', null, null],
  ]);
});

test('a transaction around several changes rolls all of them back', async () => {
  const before = await rows();
  const failing = warehouse.transaction(async () => {
    await change({ removed: [[1, 'a']] });
    await change({ key: [], removed: [[2, 'a', null, null]], added: [[5, 'x', null, null]] });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await rows()).toEqual(before);
});

test('a table gets other columns, keeps the values of the others, and rolls back', async () => {
  const [id, part] = columns;
  const other: readonly Column[] = [
    ...(part === undefined ? [] : [part]),
    { name: 'NOTE', type: { name: 'VARCHAR', length: 2 } },
    ...(id === undefined ? [] : [id]),
  ];
  const reshaped = await warehouse.reshapeTable(table, other);
  expect(warehouse.catalog.find(table)?.columns).toEqual(other);
  await warehouse.changeRows(reshaped, {
    columns: other,
    key: ['ID'],
    removed: [[2]],
    added: [['b', 'hi', 3]],
  });
  expect(await rows()).toEqual([
    ['a', null, 1],
    ['b', 'hi', 3],
    ['b', null, 1],
  ]);
  await expect(
    warehouse.changeRows(reshaped, { columns: other, key: ['ID'], removed: [], added: [['b', 'long', 3]] }),
  ).rejects.toThrow('VARCHAR(2)');
  const failing = warehouse.transaction(async () => {
    await warehouse.reshapeTable(reshaped, other.slice(0, 1));
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(warehouse.catalog.find(table)?.columns).toEqual(other);
});
