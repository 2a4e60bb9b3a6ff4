import { afterAll, expect, test } from 'vitest';
import { openWarehouse } from '../../../engine/duckdb/open-warehouse.ts';
import { NUMBER, TEXT, transform } from '../transformation/transform.ts';
import { sharedWarehouse } from './shared-warehouse.ts';

const warehouse = sharedWarehouse();
const tables = {
  orders: {
    columns: { ID: NUMBER, NAME: { name: 'VARCHAR', length: 5 } },
    rows: [
      [1, 'one'],
      [2, null],
    ],
  },
} as const;

function view(name: string, more = ''): string {
  return `
orders:
  type: table-input
  parameters: { targetTable: orders, columnNames: [NAME, ID] }
Write:
  type: create-view
  sources: [orders]
  parameters: { viewName: ${name}, secureView: "No", viewType: Standard${more} }
`;
}

test('a view is computed when it is read', async () => {
  const done = await warehouse.run(view('current orders'), { tables });
  expect(done.results.get('Write')).toMatchObject({
    message: 'View "current orders" created.',
    rowsWritten: undefined,
  });
  await done.warehouse.run(`INSERT INTO "DB.S"."orders" VALUES (3, 'three')`);
  expect(await done.rows('current orders')).toEqual([
    ['one', 1],
    ['three', 3],
    [null, 2],
  ]);
  expect(done.table('current orders')).toMatchObject({
    kind: 'view',
    columns: [
      { name: 'NAME', type: { name: 'VARCHAR', length: 5 } },
      { name: 'ID', type: NUMBER },
    ],
  });
});

test('a view keeps its columns when its table gets another one', async () => {
  const done = await warehouse.run(view('narrow'), { tables });
  await done.warehouse.run(`ALTER TABLE "DB.S"."orders" ADD COLUMN "NEW" VARCHAR`);
  expect((await done.read('narrow')).columns.map(({ name }) => name)).toEqual(['NAME', 'ID']);
});

test('a view replaces a view, and has all components before it in it', async () => {
  const components = `
orders:
  type: table-input
  parameters: { targetTable: orders, columnNames: [ID] }
Filter:
  type: filter
  sources: [orders]
  parameters: { filterConditions: [[ID, Is, Greater than, "1"]] }
Join:
  type: join
  sources: [orders, Filter]
  parameters:
    mainTable: orders
    mainTableAlias: a
    joins: [[Filter, b, Left]]
    joinExpressions: [['"a"."ID" = "b"."ID"', x]]
    columnMappings: [[a.ID, A], [b.ID, B]]
Write:
  type: create-view
  sources: [Join]
  parameters: { viewName: current orders }
`;
  await warehouse.run(view('current orders'), { tables });
  const done = await warehouse.run(components, { tables });
  expect(await done.rows('current orders')).toEqual([
    [1, null],
    [2, 2],
  ]);
});

test.each([
  ['a table of that name', view('orders'), /"orders" is a table and cannot be replaced by a view/],
  [
    'a table whose name differs in case',
    view('ORDERS'),
    /Millrace does not support "DB"."S"."ORDERS" next to "DB"."S"."orders"/,
  ],
  [
    'another type of view',
    view('v', ', viewType: Materialized').replace('viewType: Standard, ', ''),
    /viewType: Mat/,
  ],
])('%s is an error that says where', async (_title, components, message) => {
  await expect(warehouse.run(components, { tables })).rejects.toThrow(/a.tran.yaml:\d+:\d+: /);
  await expect(warehouse.run(components, { tables })).rejects.toThrow(message);
});

test('a table cannot replace a view, or a table whose name differs in case only', async () => {
  await warehouse.run(view('current orders'), { tables });
  const components = (name: string) =>
    view(name)
      .replace('create-view', 'rewrite-table')
      .replace(/viewName: (.*), secure.*}/, 'targetTable: $1 }');
  await expect(warehouse.run(components('current orders'), { tables })).rejects.toThrow(
    /"current orders" is a view and cannot be replaced by a table/,
  );
  await expect(warehouse.run(components('Orders'), { tables })).rejects.toThrow(
    /names differ only in upper and lower case/,
  );
});

test('a view that would read itself is an error, and the old one stays', async () => {
  const done = await warehouse.run(view('cycle'), { tables });
  const components = view('cycle').replace('targetTable: orders', 'targetTable: cycle');
  await expect(warehouse.run(components, { tables })).rejects.toThrow(
    /a.tran.yaml:\d+:\d+: the view "cycle" would read itself/,
  );
  expect(await done.rows('cycle')).toHaveLength(2);
});

test('on a warehouse of kind 2, names are folded to lower case', async () => {
  const lower = { orders: { columns: { id: NUMBER, name: TEXT }, rows: [[1, 'one']] } };
  const done = await warehouse.run(view('V'), { tables: lower, kind: 'WAREHOUSE_TWO' });
  expect(await done.rows('v')).toEqual([['one', 1]]);
});

let time = Date.parse('2026-01-02T03:04:05Z');
const clocked = openWarehouse({ kind: 'WAREHOUSE_ONE', memoryLimit: '200MB', now: () => time });
afterAll(async () => (await clocked)[Symbol.asyncDispose]());

test('the clock in a view is read when the view is read', async () => {
  const components = `
orders:
  type: table-input
  parameters: { targetTable: orders, columnNames: [ID] }
Filter:
  type: filter
  sources: [orders]
  parameters: { filterConditions: [[ID, Is, Less than, "DAY(CURRENT_DATE)"]] }
Write:
  type: create-view
  sources: [Filter]
  parameters: { viewName: past }
`;
  const done = await transform(components, { tables, now: time, warehouse: await clocked });
  expect(await done.rows('past')).toEqual([[1]]);
  time = Date.parse('2026-01-01T23:59:59Z');
  expect(await done.rows('past')).toEqual([]);
});
