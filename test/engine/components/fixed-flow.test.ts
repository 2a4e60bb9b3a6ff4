import { expect, test } from 'vitest';
import type { TransformOptions } from '../transformation/transform.ts';
import { outputs } from './outputs.ts';

const output = outputs();

function fixed(columns: string, values: string, options?: TransformOptions) {
  return output(
    `
Given:
  type: fixed-flow
  parameters:
    columns: ${columns}
    values: ${values}
`,
    options,
  );
}

test('cells are texts that are converted to the types of their columns', async () => {
  const { columns, rows } = await fixed(
    '[[id, NUMBER, "", ""], [price, NUMBER, "10", "2"], [day, DATE, "", ""], [at, TIMESTAMP], [ok, BOOLEAN], [rate, FLOAT], [note, VARCHAR, "5", ""]]',
    `[["1.5", "2", "2026-01-02", "2026-01-02 03:04:05", "TRUE", "0.1", "it's long"], ["-3", "", "", "", "no", "", "x"]]`,
  );
  expect(columns).toEqual([
    'id NUMBER(38,0)',
    'price NUMBER(10,2)',
    'day DATE',
    'at TIMESTAMP',
    'ok BOOLEAN',
    'rate FLOAT',
    'note VARCHAR(5)',
  ]);
  expect(rows).toEqual([
    [-3, null, null, null, false, null, 'x'],
    [2, '2.00', '2026-01-02', '2026-01-02 03:04:05', true, 0.1, "it's "],
  ]);
});

test('a cell that holds a statement is a text, and a variable is replaced once', async () => {
  const { rows } = await fixed(
    '[[sql, VARCHAR]]',
    String.raw`[["SELECT 1"], ["\${name}"], ["a\\b"]]`.replaceAll(String.raw`\$`, '$'),
    { variables: { name: { type: 'TEXT', columns: [], value: "'${name}'" } } },
  );
  expect(rows).toEqual([["'${name}'"], ['SELECT 1'], ['a\\b']]);
});

test('an empty cell is NULL, also in a column of texts', async () => {
  const { rows } = await fixed('[[a, VARCHAR], [b, NUMBER]]', '[["", ""], ["x", ""]]');
  expect(rows).toEqual([
    ['x', null],
    [null, null],
  ]);
});

test('without rows, the columns remain, and `sources` may be an empty list', async () => {
  const { columns, rows } = await output(`
Given:
  type: fixed-flow
  sources: []
  parameters: { columns: [[id, NUMBER], [name, TEXT]], values: [] }
`);
  expect(columns).toEqual(['id NUMBER(38,0)', 'name VARCHAR']);
  expect(rows).toEqual([]);
});

test('rows may come from a grid', async () => {
  const grid = {
    type: 'GRID',
    columns: ['k', 'v'],
    value: [
      ['1', 'one'],
      ['2', ''],
    ],
  };
  const { rows } = await fixed(
    '[[key, NUMBER], [name, VARCHAR]]',
    '{ fromGrid: { variable: pairs, columns: [k, v] } }',
    { variables: { pairs: grid } },
  );
  expect(rows).toEqual([
    [1, 'one'],
    [2, null],
  ]);
});

test('in the second kind of warehouse, names are in lower case and a number has 18 digits', async () => {
  const { columns, rows } = await fixed(
    '[[Id, NUMBER], [Whole, INTEGER], [Name, VARCHAR, "10", ""]]',
    '[["1", "2", "grün"]]',
    { kind: 'WAREHOUSE_TWO' },
  );
  expect(columns).toEqual(['id NUMBER(18,0)', 'whole INTEGER', 'name VARCHAR(10)']);
  expect(rows).toEqual([[1, 2, 'grün']]);
});

test.each([
  [
    'a row with too few cells',
    '[[a, VARCHAR], [b, VARCHAR]]',
    '[[x, y], [x]]',
    /row 2 of values has 1 value, but the parameter columns lists 2/,
  ],
  [
    'a row with too many cells',
    '[[a, VARCHAR]]',
    '[[x, y]]',
    /row 1 of values has 2 values, but the parameter columns lists 1 column/,
  ],
  ['a text that is not a number', '[[a, NUMBER]]', '[["many"]]', /the text 'many' is not a number/],
  ['a date in another form', '[[a, DATE]]', '[["01/02/2026"]]', /the date text '01\/02\/2026'/],
  ['an unknown type', '[[a, MONEY]]', '[]', /the type "MONEY"/],
  ['two columns of one name', '[[a, DATE], [a, DATE]]', '[]', /two output columns have the name "a"/],
  ['two names that differ in case', '[[a, DATE], [A, DATE]]', '[]', /differ only in upper and lower case/],
  ['no columns', '[]', '[]', /the parameter columns is not set/],
])('%s is an error', async (_title, columns, values, message) => {
  await expect(fixed(columns, values)).rejects.toThrow(message);
});
