import { expect, test } from 'vitest';
import { NUMBER, TEXT } from '../transformation/transform.ts';
import { outputs } from './outputs.ts';
import { sharedWarehouse } from './shared-warehouse.ts';

const outputOf = outputs();
const warehouse = sharedWarehouse();

const tables = {
  orders: {
    columns: { ID: NUMBER, CUSTOMER: NUMBER, 'the total': NUMBER },
    rows: [
      [1, 10, 5],
      [2, 10, 6],
      [3, null, 7],
      [4, 99, 8],
    ],
  },
  customers: {
    columns: { ID: NUMBER, NAME: TEXT },
    rows: [
      [10, 'Ada'],
      [11, 'Bo'],
      [null, 'nobody'],
    ],
  },
  codes: { columns: { CODE: TEXT }, rows: [['10'], ['11']] },
} as const;

const readers = `
orders:
  type: table-input
  parameters: { targetTable: orders, columnNames: [ID, CUSTOMER, "the total"] }
customers:
  type: table-input
  parameters: { targetTable: customers, columnNames: [ID, NAME] }
codes:
  type: table-input
  parameters: { targetTable: codes, columnNames: [CODE] }
`;

interface Joined {
  readonly sources?: string;
  readonly joins?: string;
  readonly expressions?: string;
  readonly mappings?: string;
}

function joinOf({ sources = '[orders, customers]', joins, expressions, mappings }: Joined): string {
  return `${readers}Join:
  type: join
  sources: ${sources}
  parameters:
    mainTable: orders
    mainTableAlias: o
    joins: ${joins ?? '[[customers, c, Inner]]'}
    joinExpressions: ${expressions ?? `[['"o"."CUSTOMER" = "c"."ID"', o_Inner_c]]`}
    columnMappings: ${mappings ?? '[[o.ID, ORDER_ID], [c.NAME, NAME]]'}
`;
}

const on = `'"o"."CUSTOMER" = "c"."ID"'`;

test.each([
  [
    'Inner',
    [
      [1, 'Ada'],
      [2, 'Ada'],
    ],
  ],
  [
    'Left',
    [
      [1, 'Ada'],
      [2, 'Ada'],
      [3, null],
      [4, null],
    ],
  ],
  [
    'Right',
    [
      [1, 'Ada'],
      [2, 'Ada'],
      [null, 'Bo'],
      [null, 'nobody'],
    ],
  ],
  [
    'full',
    [
      [1, 'Ada'],
      [2, 'Ada'],
      [3, null],
      [4, null],
      [null, 'Bo'],
      [null, 'nobody'],
    ],
  ],
])('%s: NULL keys match nothing, and no side is coalesced', async (type, expected) => {
  const components = joinOf({ joins: `[[customers, c, ${type}]]`, expressions: `[[${on}, o_${type}_c]]` });
  expect((await outputOf(components, { tables })).rows).toEqual(expected);
});

test.each<[string, Joined, readonly unknown[]]>([
  [
    'an expression without a fitting name belongs to the join in its position',
    { expressions: `[[${on}, other]]` },
    [
      [1, 'Ada'],
      [2, 'Ada'],
    ],
  ],
  [
    'expressions are found by name, in any order, and may use every alias before',
    {
      sources: '[orders, customers, codes]',
      joins: '[[customers, c, Inner], [codes, d, Left]]',
      expressions: `[['"d"."CODE" = "c"."ID" AND "o"."ID" = 1', o_Left_d], [${on}, o_Inner_c]]`,
      mappings: '[[o.ID, ID], [d.CODE, CODE]]',
    },
    [
      [1, '10'],
      [2, null],
    ],
  ],
  [
    'an input may be joined to itself',
    {
      sources: '[orders]',
      joins: '[[orders, next, Left]]',
      expressions: `[['"next"."ID" = "o"."ID" + 1', o_Left_next]]`,
      mappings: '[[o.ID, ID], [next.ID, NEXT]]',
    },
    [
      [1, 2],
      [2, 3],
      [3, 4],
      [4, null],
    ],
  ],
  [
    '1 = 1 joins every row with every row',
    { expressions: "[['1 = 1', x]]", mappings: '[[o.ID, A], [c.ID, B]]' },
    [1, 2, 3, 4].flatMap((id) => [
      [id, 10],
      [id, 11],
      [id, null],
    ]),
  ],
  [
    'a column may be mapped twice, and its name may contain a space and dots',
    { mappings: '[[o.the total, a.b], [o.the total, TOTAL]]' },
    [
      [5, 5],
      [6, 6],
    ],
  ],
])('%s', async (_title, options, expected) => {
  expect((await outputOf(joinOf(options), { tables })).rows).toEqual(expected);
});

test('an input that is joined to itself is computed once', async () => {
  const components = `
Count:
  type: sql
  parameters: { query: "SELECT counter.NEXTVAL AS ID" }
Join:
  type: join
  sources: [Count]
  parameters:
    mainTable: Count
    mainTableAlias: a
    joins: [[Count, b, Full]]
    joinExpressions: [['"a"."ID" = "b"."ID"', x]]
    columnMappings: [[a.ID, A], [b.ID, B]]
Write:
  type: rewrite-table
  sources: [Join]
  parameters: { targetTable: output }
`;
  await warehouse.prepare(['CREATE SCHEMA IF NOT EXISTS "DB.S"', 'CREATE SEQUENCE "DB.S"."COUNTER"']);
  const done = await warehouse.run(components);
  expect(await done.rows('output')).toEqual([[1, 1]]);
});

test('a full join without an equality keeps the rows of both sides', async () => {
  const components = joinOf({
    joins: '[[customers, c, Full]]',
    expressions: `[['"o"."ID" > 3 AND "c"."ID" > 10', x]]`,
    mappings: '[[o.ID, A], [c.NAME, B]]',
  });
  expect((await outputOf(components, { tables })).rows).toEqual([
    [1, null],
    [2, null],
    [3, null],
    [4, 'Bo'],
    [null, 'Ada'],
    [null, 'nobody'],
  ]);
});

test('mappings may come from a grid, and an expression from a variable', async () => {
  const components = joinOf({
    expressions: "[['${expression}', o_Inner_c]]",
    mappings: '{ fromGrid: { variable: mapping, columns: [source, target] } }',
  });
  const mapping = { type: 'GRID', columns: ['source', 'target'] };
  const expression = { type: 'TEXT', columns: [], value: '"o"."CUSTOMER" = "c"."ID" AND "o"."ID" = 2' };
  const grid = { ...mapping, value: [['c.NAME', 'NAME']] };
  expect((await outputOf(components, { tables, variables: { mapping: grid, expression } })).rows).toEqual([
    ['Ada'],
  ]);
  const empty = { ...mapping, value: [] };
  await expect(outputOf(components, { tables, variables: { mapping: empty, expression } })).rejects.toThrow(
    /the parameter columnMappings is a grid variable that has no rows; it needs at least one/,
  );
});

test.each<[string, Joined, RegExp]>([
  ['a component that is not a source', { joins: '[[codes, c, Inner]]' }, /"codes" is not a source/],
  ['an alias that is used twice', { joins: '[[customers, o, Inner]]' }, /two inputs have the alias "o"/],
  [
    'an unknown type of join',
    { joins: '[[customers, c, Cross]]' },
    /Millrace does not support the join Cross/,
  ],
  ['a join without an expression', { expressions: '[]' }, /joinExpressions is not set/],
  [
    'an expression of no join',
    { expressions: `[[${on}, o_Inner_c], [${on}, stale]]` },
    /a.tran.yaml:\d+:\d+: this row of joinExpressions does not belong to a join, .* its second cell: "/,
  ],
  [
    'an alias that is joined later',
    { expressions: `[['"d"."CODE" = 1', o_Inner_c]]` },
    /FROM has no table "d"; it has "o", "c"/,
  ],
  [
    'an unknown column',
    { mappings: '[[c.MISSING, X]]' },
    /"MISSING" was not found in "c"; it has "ID", "NAME"/,
  ],
  ['another case of a column', { mappings: '[[c.name, X]]' }, /it has "NAME": upper and lower case differ/],
  ['an unknown alias', { mappings: '[[x.ID, X]]' }, /no input has the alias "x"; there are "o", "c"/],
  [
    'a mapping without an alias',
    { mappings: '[[ID, X]]' },
    /expected alias.column in columnMappings, found "ID"/,
  ],
  [
    'two output columns of one name',
    { mappings: '[[o.ID, X], [c.ID, X]]' },
    /two output columns have the name/,
  ],
  [
    'output columns whose names differ in case only',
    { mappings: '[[o.ID, X], [c.ID, x]]' },
    /Millrace does not support output columns "X" and "x"/,
  ],
  ['an expression that is not a condition', { expressions: `[['CURRENT_DATE', x]]` }, /as a condition/],
])('%s is an error that says where', async (_title, options, message) => {
  await expect(outputOf(joinOf(options), { tables })).rejects.toThrow(message);
});

test('on a warehouse of kind 2, names are folded to lower case', async () => {
  const lower = {
    orders: { columns: { id: NUMBER, customer: NUMBER, 'the total': NUMBER }, rows: [[1, 10, 5]] },
    customers: { columns: { id: NUMBER, name: TEXT }, rows: [[10, 'Ada']] },
    codes: { columns: { code: TEXT }, rows: [] },
  };
  const { columns, rows } = await outputOf(joinOf({}), { tables: lower, kind: 'WAREHOUSE_TWO' });
  expect(columns).toEqual(['order_id NUMBER(38,0)', 'name VARCHAR']);
  expect(rows).toEqual([[1, 'Ada']]);
});

test('kind 2 joins fully on equal values of both inputs only, as in SQL', async () => {
  const lower = {
    a: { columns: { id: NUMBER }, rows: [[1], [2]] },
    b: { columns: { id: NUMBER }, rows: [[2], [3]] },
  } as const;
  const joined = (condition: string) => `
A:
  type: table-input
  parameters: { targetTable: a, columnNames: [id] }
B:
  type: table-input
  parameters: { targetTable: b, columnNames: [id] }
Join:
  type: join
  sources: [A, B]
  parameters:
    mainTable: A
    mainTableAlias: x
    joins: [[B, y, Full]]
    joinExpressions: [['${condition}', x_Full_y]]
    columnMappings: [[x.id, x_id], [y.id, y_id]]
`;
  const options = { kind: 'WAREHOUSE_TWO', tables: lower } as const;
  await expect(outputOf(joined('x.id < y.id'), options)).rejects.toThrow(
    'FULL JOIN on a condition other than equality',
  );
  const { rows } = await outputOf(joined('x.id = y.id'), options);
  expect(rows).toHaveLength(3);
});
