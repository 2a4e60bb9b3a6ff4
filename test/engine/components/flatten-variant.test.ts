import { expect, test } from 'vitest';
import { NUMBER, VARIANT } from '../transformation/transform.ts';
import { outputs, type Output } from './outputs.ts';

const outputOf = outputs();

const tables = {
  docs: {
    columns: { ID: NUMBER, DOC: VARIANT },
    rows: [
      [1, { name: 'Ada', tags: ['x', 'y'], 'a key': { b: [{ c: 7 }] } }],
      [2, { name: 'Bo', tags: {}, extra: { k: 1 } }],
      [3, null],
    ],
  },
} as const;

function flatten(mapping: string, flattens = 'null', includes = 'No'): Promise<Output> {
  const components = `
docs:
  type: table-input
  parameters: { targetTable: docs, columnNames: [ID, DOC] }
Flatten:
  type: flatten-variant
  sources: [docs]
  parameters: { includeInputColumns: ${includes}, columnMapping: ${mapping}, columnFlattens: ${flattens} }
`;
  return outputOf(components, { tables });
}

test('properties get columns; without an alias, the property or the column is the name', async () => {
  const { columns, rows } = await flatten(
    `[[DOC, name, VARCHAR, NAME], [DOC, tags, VARIANT, ""], [ID, "", VARCHAR, ""], [DOC, '"a key".b[0].c', NUMBER, C]]`,
  );
  expect(columns).toEqual(['NAME VARCHAR', 'tags VARIANT', 'ID VARCHAR', 'C NUMBER(38,0)']);
  expect(rows).toEqual([
    ['Ada', ['x', 'y'], '1', 7],
    ['Bo', {}, '2', null],
    [null, null, '3', null],
  ]);
});

test('input columns come first, without those that an alias replaces', async () => {
  const { columns } = await flatten('[[DOC, name, VARCHAR, DOC], [DOC, tags, VARIANT, T]]', 'null', 'Yes');
  expect(columns).toEqual(['ID NUMBER(38,0)', 'DOC VARCHAR', 'T VARIANT']);
});

test.each([
  [
    'No',
    'Both',
    [
      [1, 'x'],
      [1, 'y'],
    ],
  ],
  [
    'Yes',
    'Both',
    [
      [1, 'x'],
      [1, 'y'],
      [2, null],
      [3, null],
    ],
  ],
  ['No', 'Object', []],
  [
    'No',
    'array',
    [
      [1, 'x'],
      [1, 'y'],
    ],
  ],
])('items are rows: outer %s, mode %s', async (outer, mode, expected) => {
  const { rows } = await flatten(
    '[[ID, "", NUMBER, ""], [t, "", VARCHAR, TAG]]',
    `[[DOC, tags, t, "${outer}", "No", "${mode}"]]`,
  );
  expect(rows).toEqual(expected);
});

test('the members of an object are rows in mode Both and Object', async () => {
  const mapping = '[[m, "", VARIANT, MEMBER]]';
  expect((await flatten(mapping, '[[DOC, extra, m, "No", "No", "Object"]]')).rows).toEqual([[1]]);
  expect((await flatten(mapping, '[[DOC, extra, m, "No", "No", ""]]')).rows).toEqual([[1]]);
});

test('a flattening may use the items of one before it', async () => {
  const { rows } = await flatten(
    '[[inner, c, NUMBER, C]]',
    `[[DOC, '"a key"', outer, "No", "No", "Both"], [outer, "", inner, "No", "No", "Both"]]`,
  );
  expect(rows).toEqual([[7]]);
});

test.each([
  [
    'a recursive flattening',
    '[[ID, "", NUMBER, ""]]',
    '[[DOC, tags, t, "No", "Yes", "Both"]]',
    /Millrace does not support a recursive/,
  ],
  [
    'another mode',
    '[[ID, "", NUMBER, ""]]',
    '[[DOC, tags, t, "No", "No", "All"]]',
    /Millrace does not support the mode All/,
  ],
  [
    'an alias of a column',
    '[[ID, "", NUMBER, ""]]',
    '[[DOC, tags, ID, "No", "No", "Both"]]',
    /the alias "ID" in columnFlattens is the name/,
  ],
  [
    'an alias that comes later',
    '[[ID, "", NUMBER, ""]]',
    '[[u, "", t, "No", "No", ""], [DOC, tags, u, "", "", ""]]',
    /"u" was not found/,
  ],
  [
    'a number with items',
    '[[ID, "", NUMBER, ""]]',
    '[[ID, "", t, "No", "No", ""]]',
    /only a VARIANT can be flattened/,
  ],
  ['a property of a number', '[[ID, name, NUMBER, ""]]', 'null', /a path into a value of type NUMBER/],
  [
    'a property that is an expression',
    '[[DOC, "a + 1", NUMBER, ""]]',
    'null',
    /the property "a \+ 1"; put a key in double quotes/,
  ],
  [
    'a missing type',
    '[[DOC, name, "", ""]]',
    'null',
    /a row of columnMapping has no type: its third cell is empty/,
  ],
  ['no mapping', 'null', 'null', /columnMapping is not set/],
])('%s is an error that says where', async (_title, mapping, flattens, message) => {
  await expect(flatten(mapping, flattens)).rejects.toThrow(/a.tran.yaml:\d+:\d+: /);
  await expect(flatten(mapping, flattens)).rejects.toThrow(message);
});
