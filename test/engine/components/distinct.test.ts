import { expect, test } from 'vitest';
import { type GivenTable, NUMBER, TEXT, VARIANT } from '../transformation/transform.ts';
import { outputs } from './outputs.ts';

const output = outputs();

const items: GivenTable = {
  columns: { ID: NUMBER, A: TEXT, B: NUMBER, DOC: VARIANT },
  rows: [
    [1, 'x', null, null],
    [2, 'x', null, null],
    [3, 'x', 1, null],
    [4, null, null, null],
    [5, null, null, null],
  ],
};

function distinct(names: string) {
  return output(
    `
items:
  type: table-input
  parameters: { targetTable: items, columnNames: [ID, A, B, DOC] }
Distinct:
  type: distinct
  sources: [items]
  parameters: { columns: ${names} }
`,
    { tables: { items } },
  );
}

test('rows that are equal in the listed columns become one; NULLs are equal; other columns are dropped', async () => {
  const { columns, rows } = await distinct('[B, A]');
  expect(columns).toEqual(['B NUMBER(38,0)', 'A VARCHAR']);
  expect(rows).toEqual([
    [1, 'x'],
    [null, 'x'],
    [null, null],
  ]);
});

test.each([
  ['no columns', '[]', /no output columns are left/],
  ['an unknown column', '[C]', /"C" was not found in the input "items"/],
  ['a semi-structured column', '[DOC]', /equal values of the semi-structured column "DOC"/],
  ['a column twice', '[A, A]', /two output columns have the name "A"/],
])('%s is an error', async (_title, names, message) => {
  await expect(distinct(names)).rejects.toThrow(message);
});
