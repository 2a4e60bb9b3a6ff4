import { beforeEach, expect, test } from 'vitest';
import type { Value } from '../../../engine/duckdb/connection/warehouse.ts';
import { NUMBER, TEXT } from '../transformation/transform.ts';
import { sharedWarehouse } from './shared-warehouse.ts';

const warehouse = sharedWarehouse();
const before = [
  `CREATE SCHEMA IF NOT EXISTS "DB.S"`,
  `CREATE OR REPLACE TABLE "DB.S"."orders" ("ID" DECIMAL(38,0), "NAME" VARCHAR NOT NULL CHECK (length("NAME") <= 5), "COUNT" DECIMAL(38,0) DEFAULT 7)`,
  `COMMENT ON COLUMN "DB.S"."orders"."NAME" IS 'millrace:VARCHAR(5)'`,
  `INSERT INTO "DB.S"."orders" VALUES (1, 'one', 1), (2, 'two', 2), (NULL, 'none', 0)`,
];
beforeEach(() => warehouse.prepare(before));
const unchanged = [
  [1, 'one', 1],
  [2, 'two', 2],
  [null, 'none', 0],
];

interface Options {
  readonly rows: readonly (readonly Value[])[];
  readonly matched?: string;
  readonly update?: string;
  readonly insert?: string;
  readonly includes?: string;
  readonly on?: string;
}

function update({ matched, update: updated, insert, includes = 'Yes', on }: Options): string {
  return `
changes:
  type: table-input
  parameters: { targetTable: changes, columnNames: [ID, NAME, ACTION] }
Merge:
  type: table-update
  sources: [changes]
  parameters:
    warehouse: "[Environment Default]"
    targetTable: orders
    targetAlias: target
    sourceAlias: input
    joinExpression: ${on ?? `[['"input"."ID" = "target"."ID"', Case]]`}
    whenMatched: ${matched ?? '[["true", Update]]'}
    updateMapping: ${updated ?? '[[NAME, NAME]]'}
    includeNotMatched: ${includes}
    insertMapping: ${insert ?? '[[ID, ID], [NAME, NAME]]'}
`;
}

async function run(options: Options): ReturnType<typeof warehouse.run> {
  const changes = { columns: { ID: NUMBER, NAME: TEXT, ACTION: TEXT }, rows: options.rows };
  return warehouse.run(update(options), { tables: { changes } });
}

test.each<[string, Options, readonly unknown[], string]>([
  [
    'rows that match are updated, others inserted, and rows without a partner stay',
    {
      rows: [
        [2, 'TWO', null],
        [3, 'three', null],
      ],
    },
    [
      [1, 'one', 1],
      [2, 'TWO', 2],
      [3, 'three', 7],
      [null, 'none', 0],
    ],
    '1 row inserted, 1 updated, 0 deleted in "orders".',
  ],
  [
    'a NULL key matches nothing, so its row is inserted',
    { rows: [[null, 'again', null]] },
    [
      [1, 'one', 1],
      [2, 'two', 2],
      [null, 'again', 7],
      [null, 'none', 0],
    ],
    '1 row inserted, 0 updated, 0 deleted in "orders".',
  ],
  [
    'of several branches, the first that holds applies',
    {
      rows: [
        [1, 'ONE', 'd'],
        [2, 'TWO', 'd'],
      ],
      matched: `[['"input"."NAME" = ''ONE''', Update], ['"input"."ACTION" = ''d''', Delete], ['1=1', Update]]`,
    },
    [
      [1, 'ONE', 1],
      [null, 'none', 0],
    ],
    '0 rows inserted, 1 updated, 1 deleted in "orders".',
  ],
  [
    'a row for which no branch holds stays as it is',
    { rows: [[1, 'ONE', 'x']], matched: `[['"input"."ACTION" = ''d''', Delete]]` },
    unchanged,
    '0 rows inserted, 0 updated, 0 deleted in "orders".',
  ],
  [
    'new rows with equal keys are all inserted',
    {
      rows: [
        [9, 'a', null],
        [9, 'b', null],
      ],
    },
    [
      [1, 'one', 1],
      [2, 'two', 2],
      [9, 'a', 7],
      [9, 'b', 7],
      [null, 'none', 0],
    ],
    '2 rows inserted, 0 updated, 0 deleted in "orders".',
  ],
  [
    'several rows for one row of the table are allowed while a branch holds for one of them',
    {
      rows: [
        [1, 'ONE', 'u'],
        [1, 'other', 'x'],
      ],
      matched: `[['"input"."ACTION" = ''u''', Update]]`,
    },
    [
      [1, 'ONE', 1],
      [2, 'two', 2],
      [null, 'none', 0],
    ],
    '0 rows inserted, 1 updated, 0 deleted in "orders".',
  ],
  [
    'a row that several rows of the input match is deleted where all of them delete it',
    {
      rows: [
        [1, 'a', 'd'],
        [1, 'b', 'd'],
        [2, 'c', 'd'],
      ],
      matched: `[['"input"."ACTION" = ''d''', Delete], ['"input"."ACTION" = ''u''', Update]]`,
    },
    [[null, 'none', 0]],
    '0 rows inserted, 0 updated, 2 deleted in "orders".',
  ],
  [
    'without includeNotMatched, nothing is inserted',
    { rows: [[3, 'three', null]], includes: 'No', insert: 'null' },
    unchanged,
    '0 rows inserted, 0 updated, 0 deleted in "orders".',
  ],
  [
    'without branches, rows are only inserted',
    {
      rows: [
        [1, 'ONE', null],
        [4, 'four', null],
      ],
      matched: 'null',
      update: 'null',
    },
    [
      [1, 'one', 1],
      [2, 'two', 2],
      [4, 'four', 7],
      [null, 'none', 0],
    ],
    '1 row inserted, 0 updated, 0 deleted in "orders".',
  ],
  [
    'an expression may lack spaces, and use both tables',
    {
      rows: [[2, 'TWO', null]],
      on: `[['"input"."ID"="target"."ID"AND"target"."COUNT">1', Join]]`,
    },
    [
      [1, 'one', 1],
      [2, 'TWO', 2],
      [null, 'none', 0],
    ],
    '0 rows inserted, 1 updated, 0 deleted in "orders".',
  ],
])('%s', async (_title, options, expected, message) => {
  const done = await run(options);
  expect(await done.rows('orders')).toEqual(expected);
  expect(done.results.get('Merge')).toMatchObject({ message, notices: [] });
});

test('rowsWritten counts inserted, updated and deleted rows', async () => {
  const done = await run({
    rows: [
      [1, 'x', 'd'],
      [2, 'y', 'u'],
      [3, 'z', 'u'],
    ],
    matched: `[['"input"."ACTION" = ''d''', Delete], ['true', Update]]`,
  });
  expect(done.results.get('Merge')).toMatchObject({
    rowsWritten: 3,
    message: '1 row inserted, 1 updated, 1 deleted in "orders".',
  });
});

test('the condition <none> of a converted pipeline updates every row that matches', async () => {
  const done = await run({ rows: [[1, 'ONE', null]], matched: '[["<none>", Update]]' });
  expect((await done.rows('orders'))[0]).toEqual([1, 'ONE', 1]);
});

test('an updateMapping without whenMatched updates every row that matches, with a notice', async () => {
  const done = await run({ rows: [[1, 'ONE', null]], matched: 'null' });
  expect((await done.rows('orders'))[0]).toEqual([1, 'ONE', 1]);
  expect(done.results.get('Merge')?.notices).toEqual([
    'whenMatched is not set: every row that matches is updated',
  ]);
});

test.each([
  ['updated', '[["true", Update]]'],
  ['updated and deleted', `[['"input"."NAME" = ''a''', Update], ['true', Delete]]`],
])(
  'a row that several rows of the input match cannot be %s, and nothing changes',
  async (_title, matched) => {
    const options = {
      rows: [
        [1, 'a', null],
        [1, 'b', null],
        [5, 'new', null],
      ],
      matched,
    };
    await expect(run(options)).rejects.toThrow(
      /a.tran.yaml:\d+:\d+: 1 row of the table matches several rows of the input/,
    );
    const done = await run({ rows: [] });
    expect(await done.rows('orders')).toEqual(unchanged);
  },
);

test.each<[string, Options, RegExp]>([
  ['a text that is too long', { rows: [[1, 'longer', null]] }, /longer than VARCHAR\(5\)/],
  ['an inserted text that is too long', { rows: [[9, 'longer', null]] }, /longer than VARCHAR\(5\)/],
  ['NULL in a column that is NOT NULL', { rows: [[1, null, null]] }, /NOT NULL/],
  ['an insert without such a column', { rows: [[9, 'x', null]], insert: '[[ID, ID]]' }, /NOT NULL/],
  [
    'a text that is not a number',
    { rows: [[1, 'x', null]], update: '[[NAME, COUNT]]' },
    /the text 'x' is not a number/,
  ],
])('%s is an error, and the table keeps its rows', async (_title, options, message) => {
  await expect(run(options)).rejects.toThrow(message);
  const done = await run({ rows: [] });
  expect(await done.rows('orders')).toEqual(unchanged);
});

test.each<[string, Options, RegExp]>([
  [
    'no branch at all',
    { rows: [], matched: 'null', update: 'null', includes: 'No' },
    /would not change any rows/,
  ],
  [
    'another action',
    { rows: [], matched: '[["true", Ignore]]' },
    /Millrace does not support the action Ignore; use/,
  ],
  ['an update without a mapping', { rows: [], update: 'null' }, /the parameter updateMapping is not set/],
  ['an insert without a mapping', { rows: [], insert: 'null' }, /the parameter insertMapping is not set/],
  [
    'several join expressions',
    { rows: [], on: `[['1=1', a], ['1=1', b]]` },
    /several rows in joinExpression; combine them in one row with AND/,
  ],
  [
    'an unknown alias',
    { rows: [], on: `[['"x"."ID" = 1', a]]` },
    /FROM has no table "x"; it has "target", "input"/,
  ],
  ['an ambiguous column', { rows: [], on: `[['"ID" = 1', a]]` }, /several tables in FROM have a column "ID"/],
  [
    'a column of the target that is mapped twice',
    { rows: [], update: '[[NAME, NAME], [ID, NAME]]' },
    /twice/,
  ],
  ['includeNotMatched that is not set', { rows: [], includes: '' }, /includeNotMatched is not set/],
])('%s is an error', async (_title, options, message) => {
  await expect(run(options)).rejects.toThrow(message);
});

test('two equal aliases are an error', async () => {
  const components = update({ rows: [] }).replace('sourceAlias: input', 'sourceAlias: target');
  const changes = { columns: { ID: NUMBER, NAME: TEXT, ACTION: TEXT }, rows: [] };
  await expect(warehouse.run(components, { tables: { changes } })).rejects.toThrow(
    /targetAlias and sourceAlias are both/,
  );
});

test('values are converted as INSERT converts them', async () => {
  const done = await run({
    rows: [
      [1, '12.5', null],
      [8, '8', null],
    ],
    update: '[[NAME, COUNT]]',
    insert: '[[NAME, ID], [ID, NAME]]',
  });
  expect(await done.rows('orders')).toEqual([
    [1, 'one', 13],
    [2, 'two', 2],
    [8, '8', 7],
    [null, 'none', 0],
  ]);
});

test('an input that reads the table sees it as it was', async () => {
  const components = `
read:
  type: table-input
  parameters: { targetTable: orders, columnNames: [ID, NAME] }
Merge:
  type: table-update
  sources: [read]
  parameters:
    targetTable: orders
    targetAlias: t
    sourceAlias: s
    joinExpression: [['"t"."ID" = "s"."ID" + 1', Case]]
    whenMatched: [["true", Update]]
    updateMapping: [[NAME, NAME]]
    includeNotMatched: No
    insertMapping: null
`;
  const done = await warehouse.run(components);
  expect(await done.rows('orders')).toEqual([
    [1, 'one', 1],
    [2, 'one', 2],
    [null, 'none', 0],
  ]);
});

test('on a warehouse of kind 2, names and aliases are folded to lower case', async () => {
  const tables = {
    orders: { columns: { id: NUMBER, name: TEXT }, rows: [[1, 'one']] },
    changes: {
      columns: { id: NUMBER, name: TEXT, action: TEXT },
      rows: [
        [1, 'ONE', null],
        [2, 'two', null],
      ],
    },
  };
  const components = update({ rows: [] }).replace('targetAlias: target', 'targetAlias: TARGET');
  const done = await warehouse.run(components, { tables, kind: 'WAREHOUSE_TWO' });
  expect(await done.rows('orders')).toEqual([
    [1, 'ONE'],
    [2, 'two'],
  ]);
});
