import { expect, test } from 'vitest';
import { type GivenTable, NUMBER, TEXT, type TransformOptions } from '../transformation/transform.ts';
import { outputs } from './outputs.ts';

const output = outputs();

const people: GivenTable = {
  columns: { ID: NUMBER, EMAIL: TEXT },
  rows: [
    [1, 'a@b@c'],
    [2, 'a'],
    [3, null],
    [4, '@b'],
  ],
};

function split(
  parts: string,
  more = 'delimiter: "@", includeInputColumn: Yes',
  options: TransformOptions = {},
) {
  return output(
    `
people:
  type: table-input
  parameters: { targetTable: people, columnNames: [ID, EMAIL] }
Split:
  type: split-field
  sources: [people]
  parameters: { inputColumn: EMAIL, outputColumns: ${parts}, ${more} }
`,
    { tables: { people }, ...options },
  );
}

test('parts are counted from 0, and a missing part is an empty text', async () => {
  const { columns, rows } = await split('[["0", USER], ["1", DOMAIN], ["2", REST]]');
  expect(columns).toEqual([
    'ID NUMBER(38,0)',
    'EMAIL VARCHAR',
    'USER VARCHAR',
    'DOMAIN VARCHAR',
    'REST VARCHAR',
  ]);
  expect(rows).toEqual([
    [1, 'a@b@c', 'a', 'b', 'c'],
    [2, 'a', 'a', '', ''],
    [3, null, null, null, null],
    [4, '@b', '', 'b', ''],
  ]);
});

test('without the input column, a part may have its name', async () => {
  const { columns, rows } = await split('[["0", EMAIL]]', 'delimiter: "@", includeInputColumn: No');
  expect(columns).toEqual(['ID NUMBER(38,0)', 'EMAIL VARCHAR']);
  expect(rows.map(([, part]) => part)).toEqual(['a', 'a', null, '']);
});

test.each(['\\', "'", ', ', '.*'])('the delimiter %s is a text', async (delimiter) => {
  const table: GivenTable = { ...people, rows: [[1, `x${delimiter}y`]] };
  const { rows } = await split(
    '[["1", P]]',
    `delimiter: ${JSON.stringify(delimiter)}, includeInputColumn: No`,
    { tables: { people: table } },
  );
  expect(rows).toEqual([[1, 'y']]);
});

test('in the second kind of warehouse, names are in lower case', async () => {
  const lowerPeople: GivenTable = { columns: { id: NUMBER, email: TEXT }, rows: [[1, 'a\\b']] };
  const { columns, rows } = await split(
    '[["1", Part]]',
    String.raw`delimiter: "\\", includeInputColumn: Yes`,
    { kind: 'WAREHOUSE_TWO', tables: { people: lowerPeople } },
  );
  expect(columns).toEqual(['id NUMBER(38,0)', 'email VARCHAR', 'part VARCHAR']);
  expect(rows).toEqual([[1, 'a\\b', 'b']]);
});

test.each([
  [
    'a part that is not a number',
    '[["-1", P]]',
    undefined,
    /expected the number of a part \(0 or more\) in outputColumns, found "-1"/,
  ],
  ['no parts', '[]', undefined, /outputColumns is not set/],
  ['an empty delimiter', '[["0", P]]', 'delimiter: "", includeInputColumn: Yes', /delimiter is not set/],
  ['the name of an input column', '[["0", ID]]', undefined, /two output columns have the name "ID"/],
  ['an unset choice of columns', '[["0", P]]', 'delimiter: "@"', /includeInputColumn is not set/],
])('%s is an error', async (_title, parts, more, message) => {
  await expect(split(parts, more)).rejects.toThrow(message);
});
