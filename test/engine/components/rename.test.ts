import { expect, test } from 'vitest';
import { type GivenTable, NUMBER, TEXT } from '../transformation/transform.ts';
import { outputs } from './outputs.ts';

const output = outputs();

const items: GivenTable = { columns: { ID: NUMBER, NAME: TEXT, CITY: TEXT }, rows: [[1, 'a', 'b']] };

function renamed(mapping: string, include = 'No', options = {}) {
  const components = `
items:
  type: table-input
  parameters: { targetTable: items, columnNames: [ID, NAME, CITY] }
Rename:
  type: rename
  sources: [items]
  parameters:
    includeInputColumns: ${include}
    columnMapping: ${mapping}
`;
  return output(components, { tables: { items }, ...options });
}

test('without the other columns, the output has the mapped columns in the order of the mapping', async () => {
  const { columns, rows } = await renamed('[[NAME, "Full name"], [ID, ID], [NAME, OTHER]]');
  expect(columns).toEqual(['Full name VARCHAR', 'ID NUMBER(38,0)', 'OTHER VARCHAR']);
  expect(rows).toEqual([['a', 1, 'a']]);
});

test('with the other columns, mapped columns keep their places', async () => {
  const { columns, rows } = await renamed('[[NAME, ID], [ID, NUMBER]]', 'Yes');
  expect(columns).toEqual(['NUMBER NUMBER(38,0)', 'ID VARCHAR', 'CITY VARCHAR']);
  expect(rows).toEqual([[1, 'a', 'b']]);
});

test('without includeInputColumns, only the mapped columns pass', async () => {
  const { columns } = await renamed('[[NAME, CITY], [ID, ID]]', '""');
  expect(columns).toEqual(['CITY VARCHAR', 'ID NUMBER(38,0)']);
});

test('the mapping may come from a grid', async () => {
  const mapping = {
    type: 'GRID',
    columns: ['source', 'target'],
    value: [
      ['CITY', 'PLACE'],
      ['ID', 'KEY'],
    ],
  };
  const { columns } = await renamed(
    '{ fromGrid: { variable: mapping, columns: [source, target] } }',
    undefined,
    {
      variables: { mapping },
    },
  );
  expect(columns).toEqual(['PLACE VARCHAR', 'KEY NUMBER(38,0)']);
});

test('in the second kind of warehouse, new names are in lower case', async () => {
  const { columns } = await renamed('[[Id, Key]]', 'No', {
    kind: 'WAREHOUSE_TWO',
    tables: { items: { columns: { id: NUMBER, name: TEXT, city: TEXT }, rows: [] } },
  });
  expect(columns).toEqual(['key NUMBER(38,0)']);
});

test.each([
  ['an unknown column', '[[AGE, A]]', 'No', /"AGE" was not found in the input "items"; it has "ID", "NAME"/],
  ['another case of a column', '[[Id, A]]', 'No', /it has "ID": upper and lower case differ/],
  ['a name that another column has', '[[ID, NAME]]', 'Yes', /two output columns have the name "NAME"/],
  ['a name in another case', '[[ID, name]]', 'Yes', /differ only in upper and lower case/],
  [
    'two new names for one column',
    '[[ID, A], [ID, B]]',
    'Yes',
    /two new names for "ID"; keep only one row for this column in columnMapping/,
  ],
  ['an empty mapping', '[]', 'No', /columnMapping is not set/],
  ['an empty name', '[[ID, ""]]', 'No', /a row of columnMapping has no new name: its second cell is empty/],
])('%s is an error', async (_title, mapping, include, message) => {
  await expect(renamed(mapping, include)).rejects.toThrow(message);
});
