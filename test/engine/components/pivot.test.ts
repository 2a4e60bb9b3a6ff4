import { expect, test } from 'vitest';
import { decimal, NUMBER, TEXT, VARIANT } from '../transformation/transform.ts';
import { outputs, type Output } from './outputs.ts';

const outputOf = outputs();

const tables = {
  sales: {
    columns: { SHOP: TEXT, MONTH: TEXT, YEAR: NUMBER, SALES: decimal(10, 2) },
    rows: [
      ['a', 'Jan', 2026, '10.00'],
      ['a', 'Jan', 2026, '5.00'],
      ['a', 'Feb', 2026, '1.00'],
      ['b', 'Feb', 2026, null],
      ['b', 'Mar', 2026, '9.00'],
      [null, null, 2026, '4.00'],
    ],
  },
} as const;

interface Options {
  readonly columns?: string;
  readonly call?: string;
  readonly column?: string;
  readonly values?: string;
  readonly quote?: string;
}

function pivot(options: Options): Promise<Output> {
  const { columns = '[SHOP, MONTH, SALES]', call = 'Sum', column = 'MONTH', values, quote = 'No' } = options;
  return outputOf(
    `
sales:
  type: table-input
  parameters: { targetTable: sales, columnNames: ${columns} }
Pivot:
  type: pivot
  sources: [sales]
  parameters:
    aggregateFunction: ${call}
    pivotColumn: ${column}
    valueColumn: SALES
    pivotValues: ${values ?? '[Jan, Feb]'}
    quotePivotValueColumns: ${quote}
`,
    { tables },
  );
}

test('each value is a column; a missing combination is NULL, and NULL is a group', async () => {
  const { columns, rows } = await pivot({});
  expect(columns).toEqual(['SHOP VARCHAR', 'Jan NUMBER(38,2)', 'Feb NUMBER(38,2)']);
  expect(rows).toEqual([
    ['a', '15.00', '1.00'],
    ['b', null, null],
    [null, null, null],
  ]);
});

test.each([
  ['Average', '7.50000000', null],
  ['count', 2, 0],
  ['Max', '10.00', null],
  ['Min', '5.00', null],
])('%s', async (call, first, second) => {
  const { rows } = await pivot({ call });
  expect(rows.slice(0, 2).map((row) => row[1])).toEqual([first, second]);
});

test('without other columns there is one row', async () => {
  const { rows } = await pivot({ columns: '[MONTH, SALES]', values: '[Jan, Mar]' });
  expect(rows).toEqual([['15.00', '9.00']]);
});

test('the values of a number column are numbers', async () => {
  const { columns, rows } = await pivot({
    columns: '[YEAR, SALES]',
    column: 'YEAR',
    values: '["2026", "2027"]',
  });
  expect(columns).toEqual(['2026 NUMBER(38,2)', '2027 NUMBER(38,2)']);
  expect(rows).toEqual([['29.00', null]]);
});

test.each<[string, Options, RegExp]>([
  ['another function', { call: 'Median' }, /Millrace does not support the function "Median"; use Sum/],
  ['an unknown column', { column: 'Month' }, /it has "MONTH": upper and lower case differ/],
  ['no values', { values: 'null' }, /pivotValues is not set/],
  ['quoted values', { quote: 'Yes' }, /Millrace does not support quotePivotValueColumns: Yes/],
  ['a value twice', { values: '[Jan, Jan]' }, /two output columns have the name "Jan"/],
])('%s is an error that says where', async (_title, options, message) => {
  await expect(pivot(options)).rejects.toThrow(/a.tran.yaml:\d+:\d+: /);
  await expect(pivot(options)).rejects.toThrow(message);
});

test('semi-structured values are one group whatever the order of their keys', async () => {
  const docs = {
    sales: {
      columns: { SHOP: VARIANT, MONTH: TEXT, SALES: NUMBER },
      rows: [
        [{ a: 1, b: 2 }, 'Jan', 1],
        [{ b: 2, a: 1 }, 'Jan', 2],
      ],
    },
  } as const;
  const components = `
sales:
  type: table-input
  parameters: { targetTable: sales, columnNames: [SHOP, MONTH, SALES] }
Pivot:
  type: pivot
  sources: [sales]
  parameters: { aggregateFunction: Sum, pivotColumn: MONTH, valueColumn: SALES, pivotValues: [Jan] }
`;
  expect((await outputOf(components, { tables: docs })).rows).toEqual([[{ a: 1, b: 2 }, 3]]);
});

test('on a warehouse of kind 2, output names are folded to lower case', async () => {
  const lower = { sales: { columns: { month: TEXT, sales: NUMBER }, rows: [['Jan', 1]] } };
  const { columns, rows } = await outputOf(
    `
sales:
  type: table-input
  parameters: { targetTable: sales, columnNames: [month, sales] }
Pivot:
  type: pivot
  sources: [sales]
  parameters: { aggregateFunction: Sum, pivotColumn: MONTH, valueColumn: SALES, pivotValues: [Jan] }
`,
    { tables: lower, kind: 'WAREHOUSE_TWO' },
  );
  expect(columns).toEqual(['jan NUMBER(38,0)']);
  expect(rows).toEqual([[1]]);
});
