import { expect, test } from 'vitest';
import { NUMBER, TEXT } from '../transformation/transform.ts';
import { outputs, type Output } from './outputs.ts';

const outputOf = outputs();

const tables = {
  sales: {
    columns: { SHOP: TEXT, Q1: NUMBER, Q2: NUMBER, T1: TEXT, T2: TEXT },
    rows: [
      ['a', 1, 2, '1.50', 'x'],
      ['b', null, 4, null, '2'],
    ],
  },
} as const;

function transposed(parameters: string): Promise<Output> {
  return outputOf(
    `
sales:
  type: table-input
  parameters: { targetTable: sales, columnNames: [SHOP, Q1, Q2, T1, T2] }
Transpose:
  type: transpose-columns
  sources: [sales]
  parameters: { ordinaryColumns: [SHOP], rowLabelName: QUARTER, ${parameters} }
`,
    { tables },
  );
}

test('each label is a row with the values of its columns, NULLs included', async () => {
  const { columns, rows } = await transposed(
    'outputColumns: [[SOLD, NUMBER, "10", "2"], [NOTE, VARCHAR]], columnToRowMapping: [[first, Q1, T1], [second, Q2, T2]]',
  );
  expect(columns).toEqual(['SHOP VARCHAR', 'QUARTER VARCHAR', 'SOLD NUMBER(10,2)', 'NOTE VARCHAR']);
  expect(rows).toEqual([
    ['a', 'first', '1.00', '1.50'],
    ['a', 'second', '2.00', 'x'],
    ['b', 'first', null, null],
    ['b', 'second', '4.00', '2'],
  ]);
});

test('values of another type are converted, and one that cannot be is an error', async () => {
  const { rows } = await transposed('outputColumns: [[V, NUMBER, "5", "1"]], columnToRowMapping: [[t, T1]]');
  expect(rows).toEqual([
    ['a', 't', '1.5'],
    ['b', 't', null],
  ]);
  await expect(transposed('outputColumns: [[V, NUMBER]], columnToRowMapping: [[t, T2]]')).rejects.toThrow(
    "the text 'x' is not a number",
  );
});

test.each([
  [
    'a row with too few columns',
    'outputColumns: [[A, NUMBER], [B, NUMBER]], columnToRowMapping: [[x, Q1]]',
    /a label and 2 columns/,
  ],
  [
    'an unknown column',
    'outputColumns: [[A, NUMBER]], columnToRowMapping: [[x, Q9]]',
    /"Q9" was not found in the input/,
  ],
  ['no labels', 'outputColumns: [[A, NUMBER]]', /columnToRowMapping is not set/],
  [
    'two columns of one name',
    'outputColumns: [[SHOP, NUMBER]], columnToRowMapping: [[x, Q1]]',
    /two output columns .* "SHOP"/,
  ],
])('%s is an error', async (_title, parameters, message) => {
  await expect(transposed(parameters)).rejects.toThrow(message);
});
