import { expect, test } from 'vitest';
import { type GivenTable, NUMBER, TEXT, type TransformOptions } from '../transformation/transform.ts';
import { outputs } from './outputs.ts';

const output = outputs();

const items: GivenTable = {
  columns: { ID: NUMBER, STATUS: TEXT, STATUS_OLD: TEXT },
  rows: [
    [1, 'A', 'x'],
    [2, 'B', 'y'],
    [3, null, 'z'],
    [4, '', 'z'],
  ],
};

function mapped(valueMap: string, column = 'TEXT', more = '', options: TransformOptions = {}) {
  return output(
    `
items:
  type: table-input
  parameters: { targetTable: items, columnNames: [ID, STATUS, STATUS_OLD] }
Map:
  type: map-values
  sources: [items]
  parameters:
    valueMap: ${valueMap}
    columnName: ${column}
    ${more}
`,
    { tables: { items }, ...options },
  );
}

test('the first condition that holds gives the text', async () => {
  const { columns, rows } = await mapped(
    `[[STATUS, Is, Equal to, A, "it's active"], [ID, Is, Less than, "3", "2"], [STATUS, Is, "Null", "", ""]]`,
    undefined,
    'other: unknown',
  );
  expect(columns).toEqual(['ID NUMBER(38,0)', 'STATUS VARCHAR', 'STATUS_OLD VARCHAR', 'TEXT VARCHAR']);
  expect(rows.map((row) => row[3])).toEqual(["it's active", '2', '', 'unknown']);
});

test.each(['', 'other: ""'])(
  'without another text (%s), it is NULL where no condition holds',
  async (other) => {
    const { rows } = await mapped('[[STATUS, Is, Equal to, A, active]]', 'TEXT', other);
    expect(rows.map((row) => row[3])).toEqual(['active', null, null, null]);
  },
);

test('a comparison with NULL does not hold, also with Not', async () => {
  const { rows } = await mapped('[[STATUS, Not, Equal to, A, other]]', 'TEXT', 'other: none');
  expect(rows.map((row) => row[3])).toEqual(['none', 'other', 'none', 'other']);
});

test('the name of an input column replaces it in its place', async () => {
  const { columns, rows } = await mapped('[[ID, Is, Greater than, "1", many]]', 'ID', 'other: one');
  expect(columns).toEqual(['ID VARCHAR', 'STATUS VARCHAR', 'STATUS_OLD VARCHAR']);
  expect(rows.map(([id]) => id)).toEqual(['many', 'many', 'many', 'one']);
});

test('a text that is the name of another column is compared as a text, with a notice', async () => {
  const { notices } = await mapped('[[STATUS, Is, Equal to, STATUS_OLD, same]]');
  expect(notices).toHaveLength(1);
});

test('in the second kind of warehouse, names are in lower case', async () => {
  const lowerItems: GivenTable = { ...items, columns: { id: NUMBER, status: TEXT, status_old: TEXT } };
  const { columns } = await mapped('[[Status, Is, Equal to, A, active]]', 'Text', '', {
    kind: 'WAREHOUSE_TWO',
    tables: { items: lowerItems },
  });
  expect(columns.at(-1)).toBe('text VARCHAR');
});

test.each([
  [
    'a row without a text',
    '[[STATUS, Is, Equal to, A]]',
    'TEXT',
    /a row of valueMap has no text for the new column/,
  ],
  [
    'an unknown column',
    '[[STATE, Is, Equal to, A, b]]',
    'TEXT',
    /"STATE" was not found in the input "items"/,
  ],
  ['no rows', '[]', 'TEXT', /the parameter valueMap is not set/],
  ['no name', '[[STATUS, Is, Equal to, A, b]]', '""', /the parameter columnName is not set/],
  [
    'a name in another case',
    '[[STATUS, Is, Equal to, A, b]]',
    'Status',
    /differ only in upper and lower case/,
  ],
])('%s is an error', async (_title, valueMap, column, message) => {
  await expect(mapped(valueMap, column)).rejects.toThrow(message);
});
