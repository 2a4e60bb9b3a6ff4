import { expect, test } from 'vitest';
import { decimal, NUMBER, TEXT, VARIANT } from '../transformation/transform.ts';
import { outputs, type Output } from './outputs.ts';

const outputOf = outputs();

const tables = {
  sales: {
    columns: {
      SHOP: TEXT,
      Q1: decimal(10, 2),
      "it's Q2": decimal(10, 2),
      TOTAL: NUMBER,
      D1: VARIANT,
      D2: VARIANT,
    },
    rows: [
      ['a', '1.50', '2.00', 3, { x: 1 }, null],
      ['b', null, '4.00', 4, [2], { y: null }],
      [null, null, null, null, null, null],
    ],
  },
} as const;

function unpivot(columns: string, narrow: string, value = 'SALES'): Promise<Output> {
  return outputOf(
    `
sales:
  type: table-input
  parameters: { targetTable: sales, columnNames: ${columns} }
Unpivot:
  type: unpivot
  sources: [sales]
  parameters: { columnsToNarrow: ${narrow}, outputNamesColumnName: QUARTER, outputValuesColumnName: ${value} }
`,
    { tables },
  );
}

test('each value is a row with the name of its column; a NULL is none', async () => {
  const { columns, rows } = await unpivot(`[SHOP, Q1, "it's Q2"]`, `[Q1, "it's Q2"]`);
  expect(columns).toEqual(['SHOP VARCHAR', 'QUARTER VARCHAR', 'SALES NUMBER(10,2)']);
  expect(rows).toEqual([
    ['a', 'Q1', '1.50'],
    ['a', "it's Q2", '2.00'],
    ['b', "it's Q2", '4.00'],
  ]);
});

test('semi-structured values stay as they are', async () => {
  const { columns, rows } = await unpivot('[D1, D2]', '[D1, D2]');
  expect(columns).toEqual(['QUARTER VARCHAR', 'SALES VARIANT']);
  expect(rows).toEqual([
    ['D1', [2]],
    ['D1', { x: 1 }],
    ['D2', { y: null }],
  ]);
});

test.each([
  [
    'different types',
    '[Q1, TOTAL]',
    'SALES',
    /all columns in columnsToNarrow must have the same type, but "Q1" is NUMBER\(10,2\) and "TOTAL" is NUMBER\(38,0\)/,
  ],
  ['an unknown column', '[Q9]', 'SALES', /"Q9" was not found in the input "sales"/],
  ['no columns', 'null', 'SALES', /columnsToNarrow is not set/],
  ['the name of another column', '[Q1]', 'SHOP', /two output columns have the name "SHOP"/],
])('%s is an error that says where', async (_title, narrow, value, message) => {
  await expect(unpivot('[SHOP, Q1, TOTAL]', narrow, value)).rejects.toThrow(/a.tran.yaml:\d+:\d+: /);
  await expect(unpivot('[SHOP, Q1, TOTAL]', narrow, value)).rejects.toThrow(message);
});

test('on a warehouse of kind 2, names are folded to lower case', async () => {
  const lower = { sales: { columns: { q1: NUMBER, q2: NUMBER }, rows: [[1, 2]] } };
  const { columns, rows } = await outputOf(
    `
sales:
  type: table-input
  parameters: { targetTable: sales, columnNames: [q1, q2] }
Unpivot:
  type: unpivot
  sources: [sales]
  parameters: { columnsToNarrow: [Q1, Q2], outputNamesColumnName: Quarter, outputValuesColumnName: SALES }
`,
    { tables: lower, kind: 'WAREHOUSE_TWO' },
  );
  expect(columns).toEqual(['quarter VARCHAR', 'sales NUMBER(38,0)']);
  expect(rows).toEqual([
    ['q1', 1],
    ['q2', 2],
  ]);
});
