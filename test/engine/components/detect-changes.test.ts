import { expect, test } from 'vitest';
import type { Value } from '../../../engine/duckdb/connection/warehouse.ts';
import { NUMBER, TEXT, transform, VARIANT } from '../transformation/transform.ts';
import { outputs } from './outputs.ts';

const outputOf = outputs();

type Lines = readonly (readonly Value[])[];

function table(rows: Lines): { columns: Record<string, typeof NUMBER | typeof TEXT>; rows: Lines } {
  return { columns: { ID: TEXT, NAME: TEXT, PRICE: NUMBER }, rows };
}

const left = [
  ['A', 'a', 1],
  ['C', 'c', 2],
  [null, 'k', 3],
];
const right = [
  ['A', 'a', 1],
  ['B', 'b', 9],
  ['C', 'c', 3],
];

interface Options {
  readonly master?: string;
  readonly keys?: string;
  readonly compared?: string;
  readonly mapping?: string;
}

function detect({ master = 'old', keys = '[ID]', compared = '[PRICE]', mapping = 'null' }: Options): string {
  return `
new:
  type: table-input
  parameters: { targetTable: new, columnNames: [ID, NAME, PRICE] }
old:
  type: table-input
  parameters: { targetTable: old, columnNames: [ID, NAME, PRICE] }
Changes:
  type: detect-changes
  sources: [new, old]
  parameters:
    masterTable: ${master}
    matchKeys: ${keys}
    compareColumns: ${compared}
    outputColumnMapping: ${mapping}
    indicatorColumn: Indicator
`;
}

const tables = { old: table(left), new: table(right) };

test('rows are new, deleted, changed or identical; a row with a NULL key is ignored', async () => {
  const { columns, rows } = await outputOf(detect({}), { tables });
  expect(columns).toEqual(['ID VARCHAR', 'Indicator VARCHAR']);
  expect(rows).toEqual([
    ['A', 'I'],
    ['B', 'N'],
    ['C', 'C'],
  ]);
});

test('with the other input as master, what was new is deleted', async () => {
  const { rows } = await outputOf(detect({ master: 'new' }), { tables });
  expect(rows).toEqual([
    ['A', 'I'],
    ['B', 'D'],
    ['C', 'C'],
  ]);
});

test('the output has the keys, then the mapped columns of each side, then the indicator', async () => {
  const mapping = '[[master_NAME, NAME], [compare_PRICE, NEW_PRICE], [master_ID, OLD_ID]]';
  const { columns, rows } = await outputOf(detect({ mapping }), { tables });
  expect(columns.map((column) => column.split(' ')[0])).toEqual([
    'ID',
    'NAME',
    'NEW_PRICE',
    'OLD_ID',
    'Indicator',
  ]);
  expect(rows).toEqual([
    ['A', 'a', 1, 'A', 'I'],
    ['B', null, 9, null, 'N'],
    ['C', 'c', 3, 'C', 'C'],
  ]);
});

test.each<[string, Lines, Lines, Options, Lines]>([
  ['two NULLs are equal', [['A', 'x', null]], [['A', 'x', null]], {}, [['A', 'I']]],
  ['a NULL and a value differ', [['A', 'x', null]], [['A', 'x', 1]], {}, [['A', 'C']]],
  ['a column that is not compared may differ', [['A', 'x', 1]], [['A', 'y', 1]], {}, [['A', 'I']]],
  [
    'one of several compared columns is enough, and a key may be one of them',
    [['A', 'x', 1]],
    [['A', 'y', 1]],
    { compared: '[ID, PRICE, NAME]' },
    [['A', 'C']],
  ],
  [
    'every key must match',
    [['A', 'x', 1]],
    [['A', 'y', 1]],
    { keys: '[ID, NAME]' },
    [
      ['A', 'x', 'D'],
      ['A', 'y', 'N'],
    ],
  ],
  [
    'a NULL in one of several keys',
    [['A', null, 1]],
    [['A', 'y', 1]],
    { keys: '[ID, NAME]' },
    [['A', 'y', 'N']],
  ],
  [
    'equal keys multiply rows',
    [
      ['A', 'x', 1],
      ['A', 'x', 2],
    ],
    [['A', 'x', 1]],
    {},
    [
      ['A', 'C'],
      ['A', 'I'],
    ],
  ],
  [
    'without compared columns, rows in both are identical',
    [['A', 'x', 1]],
    [['A', 'y', 2]],
    { compared: 'null' },
    [['A', 'I']],
  ],
  ['two empty inputs', [], [], {}, []],
])('%s', async (_title, master, second, options, expected) => {
  const { rows } = await outputOf(detect(options), { tables: { old: table(master), new: table(second) } });
  expect(rows).toEqual(expected);
});

test.each<[string, Options, RegExp]>([
  [
    'a master that is not a source',
    { master: 'older' },
    /"older" is not a source of the component; its sources are "new", "old"/,
  ],
  ['no keys', { keys: 'null' }, /the parameter matchKeys is not set/],
  ['an unknown key', { keys: '[NOPE]' }, /"NOPE" was not found in the input "old"/],
  ['an unknown compared column', { compared: '[price]' }, /it has "PRICE": upper and lower case differ/],
  [
    'a mapping without a side',
    { mapping: '[[NAME, NAME]]' },
    /expected a column name that starts with master_ or compare_ in outputColumnMapping, found "NAME"/,
  ],
  ['an unknown mapped column', { mapping: '[[compare_NOPE, X]]' }, /"NOPE" was not found in the input "new"/],
  [
    'a mapping to the name of a key',
    { mapping: '[[compare_ID, ID]]' },
    /two output columns have the name "ID"/,
  ],
])('%s is an error that says where', async (_title, options, message) => {
  await expect(outputOf(detect(options), { tables })).rejects.toThrow(/a.tran.yaml:\d+:\d+: /);
  await expect(outputOf(detect(options), { tables })).rejects.toThrow(message);
});

test('semi-structured values are equal whatever the order of their keys', async () => {
  const columns = { ID: TEXT, NAME: TEXT, PRICE: VARIANT };
  const old = {
    columns,
    rows: [
      ['1', 'x', { a: 1, b: 2 }],
      ['2', 'x', { a: 1 }],
    ],
  };
  const changed = {
    columns,
    rows: [
      ['1', 'x', { b: 2, a: 1 }],
      ['2', 'x', { a: 2 }],
    ],
  };
  const { rows } = await outputOf(detect({}), { tables: { old, new: changed } });
  expect(rows.map((row) => [row[0], row.at(-1)])).toEqual([
    ['1', 'I'],
    ['2', 'C'],
  ]);
});

test('keys of different types compare as in SQL', async () => {
  const numbers = { columns: { ID: NUMBER, NAME: TEXT, PRICE: NUMBER }, rows: [[7, 'x', 1]] };
  const decimals = {
    columns: { ID: { name: 'NUMBER', precision: 10, scale: 2 }, NAME: TEXT, PRICE: NUMBER },
    rows: [
      ['7.00', 'x', 1],
      ['7.50', 'x', 1],
    ],
  } as const;
  const { columns, rows } = await outputOf(detect({}), { tables: { old: numbers, new: decimals } });
  expect(columns[0]).toBe('ID NUMBER(38,2)');
  expect(rows).toEqual([
    ['7.00', 'I'],
    ['7.50', 'N'],
  ]);
});

test('on a warehouse of kind 2, names are folded to lower case', async () => {
  const columns = { id: TEXT, name: TEXT, price: NUMBER };
  const lower = { old: { columns, rows: [['A', 'x', 1]] }, new: { columns, rows: [['A', 'x', 2]] } };
  const output = await outputOf(detect({ mapping: '[[master_PRICE, OLD]]' }), {
    tables: lower,
    kind: 'WAREHOUSE_TWO',
  });
  expect(output.columns).toEqual(['id VARCHAR', 'old NUMBER(38,0)', 'indicator VARCHAR']);
  expect(output.rows).toEqual([['A', 1, 'C']]);
});

test.each<[keys: Lines, notices: readonly string[]]>([
  [[['A', 'a', 1]], []],
  [
    [
      ['A', 'a', 1],
      ['A', 'b', 2],
      [null, 'k', 1],
      [null, 'k', 1],
    ],
    ['1 key of "new" appears more than once: the output has a row for each pair of equal keys'],
  ],
  [
    [
      ['A', 'a', 1],
      ['A', 'b', 2],
      ['C', 'c', 3],
      ['C', 'c', 3],
    ],
    ['2 keys of "new" appear more than once: the output has a row for each pair of equal keys'],
  ],
])('keys that are not unique are a notice, unless they are NULL', async (rows, notices) => {
  await using done = await transform(detect({}), { tables: { old: table(left), new: table(rows) } });
  expect(done.results.get('Changes')?.notices).toEqual(notices);
});

test('the component whose rows cannot be computed fails, not the look for equal keys', async () => {
  const query = detect({}).replace(
    'type: table-input\n  parameters: { targetTable: new, columnNames: [ID, NAME, PRICE] }',
    "type: sql\n  parameters: { query: \"select 'A' as id, 'a' as name, 1 / 0 as price\" }",
  );
  await expect(transform(query, { tables })).rejects.toMatchObject({ component: 'new' });
});
