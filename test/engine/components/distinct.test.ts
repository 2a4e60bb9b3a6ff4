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

test('semi-structured values are equal whatever the order of their keys', async () => {
  const docs: GivenTable = { columns: { DOC: VARIANT }, rows: [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }]] };
  const { rows } = await output(
    `
docs:
  type: table-input
  parameters: { targetTable: docs, columnNames: [DOC] }
Distinct:
  type: distinct
  sources: [docs]
  parameters: { columns: [DOC] }
`,
    { tables: { docs } },
  );
  expect(rows).toEqual([[{ a: 1, b: 2 }]]);
});

test.each([
  ['no columns', '[]', /the component has no output column/],
  ['an unknown column', '[C]', /"C" was not found in the input "items"/],
  ['a column twice', '[A, A]', /two output columns have the name "A"/],
])('%s is an error', async (_title, names, message) => {
  await expect(distinct(names)).rejects.toThrow(message);
});
