import { expect, test } from 'vitest';
import { decimal, type GivenTable, NUMBER, TEXT } from '../transformation/transform.ts';
import { outputs } from './outputs.ts';

const output = outputs();

const sales: GivenTable = {
  columns: { SHOP: TEXT, DAY: NUMBER, AMOUNT: decimal(10, 2) },
  rows: [
    ['a', 2, '2.00'],
    ['a', 1, '1.50'],
    ['a', 3, null],
    ['b', 1, '4.00'],
  ],
};

function calculated(parameters: string) {
  return output(
    `
sales:
  type: table-input
  parameters: { targetTable: sales, columnNames: [SHOP, DAY, AMOUNT] }
Calculate:
  type: window-calculation
  sources: [sales]
  parameters: ${parameters}
`,
    { tables: { sales } },
  );
}

const byShop =
  'includeInputColumns: Yes, partitionData: [SHOP], orderingWithinPartitions: [[DAY, Ascending]]';

test('from the first row to the last one, each row gets the value of its group; NULLs are not counted', async () => {
  const { columns, rows } = await calculated(
    `{ ${byShop}, functions: [[Count, AMOUNT, N], [Sum, AMOUNT, S], [Max, DAY, LAST]],
       lowerBound: unbounded preceding, upperBound: unbounded following }`,
  );
  expect(columns.slice(3)).toEqual(['N NUMBER(18,0)', 'S NUMBER(38,2)', 'LAST NUMBER(38,0)']);
  expect(rows).toEqual([
    ['a', 1, '1.50', 2, '3.50', 3],
    ['a', 2, '2.00', 2, '3.50', 3],
    ['a', 3, null, 2, '3.50', 3],
    ['b', 1, '4.00', 1, '4.00', 1],
  ]);
});

test.each([
  ['Unbounded Preceding', 'Current Row', ['1.50', '3.50', '3.50', '4.00']],
  ['Current Row', 'Unbounded Following', ['3.50', '2.00', null, '4.00']],
  ['current  row', 'current row', ['1.50', '2.00', null, '4.00']],
])('from %s to %s, the order decides', async (lower, upper, sums) => {
  const { rows } = await calculated(
    `{ ${byShop}, functions: [[Sum, AMOUNT, S]], lowerBound: ${lower}, upperBound: ${upper} }`,
  );
  expect(rows.map((row) => row.at(-1))).toEqual(sums);
});

test('without an order and without groups, the whole input is one group', async () => {
  const { rows } = await calculated(
    '{ includeInputColumns: No, functions: [[Average, DAY, A], [Minimum, AMOUNT, M]], lowerBound: Unbounded Preceding, upperBound: Unbounded Following }',
  );
  expect(rows).toEqual(Array.from({ length: 4 }, () => ['1.750000', '1.50']));
});

const whole = 'lowerBound: Unbounded Preceding, upperBound: Unbounded Following';

test.each([
  [
    'another function',
    `{ ${byShop}, functions: [[Median, DAY, M]], ${whole} }`,
    /the function "Median"; use Sum/,
  ],
  [
    'another bound',
    `{ ${byShop}, functions: [[Sum, DAY, S]], lowerBound: 2 Preceding, upperBound: Current Row }`,
    /the bound "2 Preceding"/,
  ],
  [
    'a bound with a no-break space',
    `{ ${byShop}, functions: [[Sum, DAY, S]], lowerBound: "Unbounded\u00a0Preceding", upperBound: Current Row }`,
    /the bound "Unbounded\u00a0Preceding"/,
  ],
  ['no bound', `{ ${byShop}, functions: [[Sum, DAY, S]] }`, /lowerBound is not set/],
  [
    'a part without an order',
    '{ includeInputColumns: Yes, functions: [[Sum, DAY, S]], lowerBound: Current Row, upperBound: Current Row }',
    /a part of a group without an order/,
  ],
  [
    'the name of an input column',
    `{ ${byShop}, functions: [[Sum, DAY, DAY]], ${whole} }`,
    /an output column with the name of an input column, "DAY"/,
  ],
])('%s is an error', async (_title, parameters, message) => {
  await expect(calculated(parameters)).rejects.toThrow(message);
});

test('without bounds and without an order, each row gets the value of its group; with an order, the bounds are missing', async () => {
  const groups = 'includeInputColumns: Yes, partitionData: [SHOP], functions: [[Sum, AMOUNT, S]]';
  const { rows } = await calculated(`{ ${groups} }`);
  expect(rows.map((row) => row.at(-1))).toEqual(['3.50', '3.50', '3.50', '4.00']);
  const order = 'orderingWithinPartitions: [[DAY, Ascending]]';
  await expect(calculated(`{ ${groups}, ${order} }`)).rejects.toThrow('the parameter lowerBound is not set');
  await expect(calculated(`{ ${groups}, upperBound: Current Row }`)).rejects.toThrow(
    'the parameter lowerBound is not set',
  );
});
