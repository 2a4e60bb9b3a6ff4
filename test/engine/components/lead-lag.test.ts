import { expect, test } from 'vitest';
import { type GivenTable, NUMBER, TEXT, type TransformOptions } from '../transformation/transform.ts';
import { outputs } from './outputs.ts';

const output = outputs();

const days: GivenTable = {
  columns: { ID: TEXT, DAY: NUMBER, AMOUNT: NUMBER },
  rows: [
    ['a', 1, 10],
    ['a', 2, null],
    ['a', 3, 30],
    ['b', 1, 5],
  ],
};

function shifted(functions: string, more = '', include = 'Yes', options: TransformOptions = {}) {
  return output(
    `
days:
  type: table-input
  parameters: { targetTable: days, columnNames: [ID, DAY, AMOUNT] }
Shift:
  type: lead-lag
  sources: [days]
  parameters:
    includeInputColumns: ${include}
    partitionData: [ID]
    orderingsWithinPartitions: [[DAY, Ascending]]
    functions: ${functions}
    ${more}
`,
    { tables: { days }, ...options },
  );
}

test('values of other rows follow the input columns; outside of a group they are NULL', async () => {
  const { columns, rows } = await shifted(
    '[[Lead, AMOUNT, "1", NEXT], [lag, DAY, "", LAST], [Lag, DAY, "2", TWO]]',
  );
  expect(columns.slice(3)).toEqual(['NEXT NUMBER(38,0)', 'LAST NUMBER(38,0)', 'TWO NUMBER(38,0)']);
  expect(rows).toEqual([
    ['a', 1, 10, null, null, null],
    ['a', 2, null, 30, 1, null],
    ['a', 3, 30, null, 2, 1],
    ['b', 1, 5, null, null, null],
  ]);
});

test('NULLs can be left out, and the input columns too', async () => {
  const { columns, rows } = await shifted('[[Lead, AMOUNT, "1", AMOUNT]]', 'ignoreNulls: Yes', 'No');
  expect(columns).toEqual(['AMOUNT NUMBER(38,0)']);
  expect(rows).toEqual([[30], [30], [null], [null]]);
});

test('in the second kind of warehouse, names are in lower case', async () => {
  const lowerDays: GivenTable = { ...days, columns: { id: TEXT, day: NUMBER, amount: NUMBER } };
  const { columns } = await shifted('[[Lead, Amount, "1", Next]]', '', 'No', {
    kind: 'WAREHOUSE_TWO',
    tables: { days: lowerDays },
  });
  expect(columns).toEqual(['next NUMBER(38,0)']);
});

test.each([
  ['an unknown function', '[[Before, AMOUNT, "1", X]]', /the function "Before"; use Lead or Lag/],
  ['an unknown column', '[[Lead, PRICE, "1", X]]', /"PRICE" was not found in the input "days"/],
  [
    'a distance that is not a number',
    '[[Lead, AMOUNT, "-1", X]]',
    /expected the distance as a number of rows in functions, found "-1"/,
  ],
  ['no name', '[[Lead, AMOUNT, "1"]]', /a row of functions has no output column: its fourth cell is empty/],
  [
    'the name of an input column',
    '[[Lead, AMOUNT, "1", DAY]]',
    /an output column with the name of an input column, "DAY"/,
  ],
])('%s is an error', async (_title, functions, message) => {
  await expect(shifted(functions)).rejects.toThrow(message);
});

test('without an order, nothing is guessed', async () => {
  const components = `
days:
  type: table-input
  parameters: { targetTable: days, columnNames: [ID, DAY] }
Shift:
  type: lead-lag
  sources: [days]
  parameters: { includeInputColumns: Yes, functions: [[Lead, DAY, "1", NEXT]] }
`;
  await expect(output(components, { tables: { days } })).rejects.toThrow(
    /Millrace does not support Lead or Lag without an order/,
  );
});
