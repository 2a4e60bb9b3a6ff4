import { expect, test } from 'vitest';
import {
  decimal,
  FLOAT,
  type GivenTable,
  NUMBER,
  TEXT,
  type TransformOptions,
  VARIANT,
} from '../transformation/transform.ts';
import { outputs } from './outputs.ts';

const output = outputs();

const sales: GivenTable = {
  columns: { CITY: TEXT, AMOUNT: NUMBER, PRICE: decimal(10, 2), RATE: FLOAT },
  rows: [
    ['a', 1, '1.50', 0.5],
    ['a', 2, '2.50', null],
    ['b', 7, null, null],
    [null, null, null, null],
    [null, 3, null, 1],
  ],
};

function aggregated(
  groupings: string,
  aggregations: string,
  options: TransformOptions = {},
  type = 'Group By',
) {
  return output(
    `
sales:
  type: table-input
  parameters: { targetTable: sales, columnNames: [CITY, AMOUNT, PRICE, RATE] }
Aggregate:
  type: aggregate
  sources: [sales]
  parameters: { groupingType: ${type}, groupings: ${groupings}, aggregations: ${aggregations} }
`,
    { tables: { sales }, ...options },
  );
}

test.each([
  [
    'Group By Rollup',
    [
      [null, null, 6],
      ['a', 1, 1],
      ['a', 2, 2],
      ['a', null, 3],
      ['b', 3, 3],
      ['b', null, 3],
    ],
  ],
  [
    'Group By Cube',
    [
      [null, 1, 1],
      [null, 2, 2],
      [null, 3, 3],
      [null, null, 6],
      ['a', 1, 1],
      ['a', 2, 2],
      ['a', null, 3],
      ['b', 3, 3],
      ['b', null, 3],
    ],
  ],
])('%s also makes rows of fewer groups', async (type, expected) => {
  const tables = {
    sales: {
      ...sales,
      rows: [
        ['a', 1, null, null],
        ['a', 2, null, null],
        ['b', 3, null, null],
      ],
    },
  };
  const { rows } = await aggregated('[CITY, AMOUNT]', '[[AMOUNT, Sum]]', { tables }, type);
  const texts = (list: readonly unknown[]) => list.map((row) => JSON.stringify(row)).toSorted();
  expect(texts(rows)).toEqual(texts(expected));
});

test('groups and aggregates follow in order, with the names and types of the warehouse', async () => {
  const { columns, rows } = await aggregated(
    '[CITY]',
    '[[AMOUNT, Sum], [PRICE, sum], [RATE, Sum], [AMOUNT, Count], [AMOUNT, Max], [CITY, Min]]',
  );
  expect(columns).toEqual([
    'CITY VARCHAR',
    'sum_AMOUNT NUMBER(38,0)',
    'sum_PRICE NUMBER(38,2)',
    'sum_RATE FLOAT',
    'count_AMOUNT NUMBER(18,0)',
    'max_AMOUNT NUMBER(38,0)',
    'min_CITY VARCHAR',
  ]);
  expect(rows).toEqual([
    ['a', 3, '4.00', 0.5, 2, 2, 'a'],
    ['b', 7, null, null, 1, 7, 'b'],
    [null, 3, null, 1, 1, 3, null],
  ]);
});

test('an average of whole numbers is a decimal', async () => {
  const { columns, rows } = await aggregated('[CITY]', '[[AMOUNT, Average], [RATE, Average]]');
  expect(columns.slice(1)).toEqual(['avg_AMOUNT NUMBER(38,6)', 'avg_RATE FLOAT']);
  expect(rows).toEqual([
    ['a', '1.500000', 0.5],
    ['b', '7.000000', null],
    [null, '3.000000', 1],
  ]);
});

test('counts leave out NULLs, and a column may be a grouping too', async () => {
  const { columns, rows } = await aggregated('', '[[CITY, Count], [CITY, Count Distinct], [CITY, Max]]');
  expect(columns).toEqual([
    'count_CITY NUMBER(18,0)',
    'count_distinct_CITY NUMBER(18,0)',
    'max_CITY VARCHAR',
  ]);
  expect(rows).toEqual([[3, 2, 'b']]);
});

test.each([
  ['no groupings give one row', '[]', [[null, 0]]],
  ['groupings give no row', '[CITY]', []],
])('of an input without rows, %s', async (_title, groupings, rows) => {
  const empty = { ...sales, rows: [] };
  const result = await aggregated(groupings, '[[AMOUNT, Sum], [AMOUNT, Count]]', {
    tables: { sales: empty },
  });
  expect(result.rows).toEqual(rows);
});

test('without aggregations, the groups remain', async () => {
  const { columns, rows } = await aggregated('[CITY]', '[]');
  expect(columns).toEqual(['CITY VARCHAR']);
  expect(rows).toEqual([['a'], ['b'], [null]]);
});

test('in the second kind of warehouse, names are in lower case and sums of whole numbers are BIGINT', async () => {
  const lowerSales: GivenTable = {
    columns: { city: TEXT, amount: { name: 'INTEGER' }, price: decimal(10, 2), rate: FLOAT },
    rows: [['a', 2, '1.00', 1]],
  };
  const { columns, rows } = await aggregated('[City]', '[[Amount, Sum], [Amount, Count], [PRICE, Average]]', {
    kind: 'WAREHOUSE_TWO',
    tables: { sales: lowerSales },
  });
  expect(columns).toEqual([
    'city VARCHAR',
    'sum_amount BIGINT',
    'count_amount BIGINT',
    'avg_price NUMBER(38,2)',
  ]);
  expect(rows).toEqual([['a', 2, 1, '1.00']]);
});

test('in the second kind of warehouse, groups of texts that end with a space are refused', async () => {
  const columns = { city: TEXT, amount: TEXT, price: NUMBER, rate: FLOAT };
  const count = (names: readonly (readonly [city: string, amount: string])[]) =>
    aggregated('[city]', '[[amount, Count Distinct]]', {
      kind: 'WAREHOUSE_TWO',
      tables: { sales: { columns, rows: names.map((texts) => [...texts, 1, 1]) } },
    });
  await expect(count([['a ', 'x']])).rejects.toThrow(
    /does not support GROUP BY of a text that ends with a space; apply RTRIM to it/,
  );
  const { rows } = await count([
    ['a', 'x'],
    ['a', 'x '],
  ]);
  expect(rows).toEqual([['a', 1]]);
});

test.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)(
  '%s: a sum of more than 38 digits is an error',
  async (kind) => {
    const named = (name: string) => (kind === 'WAREHOUSE_ONE' ? name : name.toLowerCase());
    const columns = {
      [named('CITY')]: TEXT,
      [named('AMOUNT')]: NUMBER,
      [named('PRICE')]: NUMBER,
      [named('RATE')]: FLOAT,
    };
    const largest = '9'.repeat(38);
    const sum = (amounts: readonly string[], word: string) =>
      aggregated('[]', `[[${named('AMOUNT')}, ${word}]]`, {
        kind,
        tables: { sales: { columns, rows: amounts.map((amount) => ['a', amount, null, null]) } },
      });
    const error = /overflow: the result of .* has more than 38 digits/;
    await expect(sum([largest, '1'], 'Sum')).rejects.toThrow(error);
    await expect(sum([largest, largest, largest], 'Sum')).rejects.toThrow(error);
    await expect(sum([largest, largest], 'Average')).rejects.toThrow(error);
    expect((await sum([largest, '-1'], 'Sum')).rows).toEqual([[BigInt(`${'9'.repeat(37)}8`)]]);
  },
);

test.each([
  ['an unknown function', '[CITY]', '[[AMOUNT, Median]]', /the function "Median"; use Sum, Average/],
  ['an unknown column', '[CITY]', '[[AMONT, Sum]]', /"AMONT" was not found in the input "sales"/],
  ['an unknown grouping', '[TOWN]', '[[AMOUNT, Sum]]', /"TOWN" was not found in the input "sales"/],
  ['the same aggregate twice', '[]', '[[AMOUNT, Sum], [AMOUNT, sum]]', /two output columns .* "sum_AMOUNT"/],
  [
    'a row without a function',
    '[]',
    '[[AMOUNT]]',
    /a row of aggregations has no function: its second cell is empty/,
  ],
  ['neither groupings nor aggregations', '[]', '[]', /the component has no output column/],
])('%s is an error', async (_title, groupings, aggregations, message) => {
  await expect(aggregated(groupings, aggregations)).rejects.toThrow(message);
});

test('another grouping type is refused', async () => {
  const components = `
sales:
  type: table-input
  parameters: { targetTable: sales, columnNames: [CITY] }
Aggregate:
  type: aggregate
  sources: [sales]
  parameters: { groupingType: Cube, groupings: [CITY] }
`;
  await expect(output(components, { tables: { sales } })).rejects.toThrow(
    /Millrace does not support groupingType: Cube/,
  );
});

test.each([
  ['groupings: [DOC], aggregations: [[DOC, Count]]', [[{ a: 1, b: 2 }, 2]]],
  ['aggregations: [[DOC, Count Distinct]]', [[1]]],
])('semi-structured values are equal whatever the order of their keys: %s', async (parameters, expected) => {
  const components = `
docs:
  type: table-input
  parameters: { targetTable: docs, columnNames: [DOC] }
Aggregate:
  type: aggregate
  sources: [docs]
  parameters: { ${parameters} }
`;
  const docs: GivenTable = { columns: { DOC: VARIANT }, rows: [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }]] };
  expect((await output(components, { tables: { docs } })).rows).toEqual(expected);
});
