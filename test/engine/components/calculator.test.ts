import { expect, test } from 'vitest';
import { openWarehouse } from '../../../engine/duckdb/open-warehouse.ts';
import { decimal, type GivenTable, NUMBER, TEXT, VARIANT } from '../transformation/transform.ts';
import { outputs } from './outputs.ts';

const output = outputs();

const items: GivenTable = {
  columns: { x: NUMBER, PRICE: decimal(10, 2), NAME: TEXT, DOC: VARIANT },
  rows: [
    [1, '10.50', 'a', { meta: { op: 'c' } }],
    [2, '0.50', null, null],
  ],
};

function components(calculations: string, include = 'Yes'): string {
  return `
items:
  type: table-input
  parameters: { targetTable: items, columnNames: [x, PRICE, NAME, DOC] }
Calculate:
  type: calculator
  sources: [items]
  parameters:
    includeInputColumns: ${include}
    calculations: ${calculations}
`;
}

function calculated(calculations: string, include = 'No') {
  return output(components(calculations, include), { tables: { items } });
}

test('with the input columns, an input name is replaced in place and a new name follows', async () => {
  const { columns, rows } = await calculated(
    String.raw`[["\"PRICE\" * 2\n", "DOUBLE"], ["UPPER(NAME)", NAME]]`,
    'Yes',
  );
  expect(columns).toEqual([
    'x NUMBER(38,0)',
    'PRICE NUMBER(10,2)',
    'NAME VARCHAR',
    'DOC VARIANT',
    'DOUBLE NUMBER(11,2)',
  ]);
  expect(rows).toEqual([
    [1, '10.50', 'A', { meta: { op: 'c' } }, '21.00'],
    [2, '0.50', null, null, '1.00'],
  ]);
});

test('without the input columns, the output has the calculated columns in order', async () => {
  const { columns, rows } = await calculated(
    String.raw`[["PRICE + 1", B], ["\"DOC\":\"meta\".\"op\"::varchar", a], ["NULL", N], ["1 + 1", TWO]]`,
  );
  expect(columns).toEqual(['B NUMBER(11,2)', 'a VARCHAR', 'N VARCHAR', 'TWO NUMBER(2,0)']);
  expect(rows).toEqual([
    ['1.50', null, null, 2],
    ['11.50', 'c', null, 2],
  ]);
});

test('paths into semi-structured values may start with a quoted name', async () => {
  const doc = { choices: [{ messages: 'hi' }] };
  const { columns, rows } = await output(
    components(String.raw`[["\"DOC\":choices[0]:messages", M], ["\"DOC\":none.deep", N]]`, 'No'),
    { tables: { items: { ...items, rows: [[1, null, null, doc]] } } },
  );
  expect(columns).toEqual(['M VARIANT', 'N VARIANT']);
  expect(rows).toEqual([['hi', null]]);
});

test('an input column wins over an earlier calculated column of the same name', async () => {
  const { rows } = await calculated(String.raw`[["\"x\" + 100", x], ["\"x\" + 1", z]]`);
  expect(rows).toEqual([
    [101, 2],
    [102, 3],
  ]);
});

test('a name that no input column has is an earlier calculated column', async () => {
  const { columns, rows } = await calculated(
    String.raw`[["\"x\" * 2", d], ["\"d\" + 1", e], ["(SELECT MAX(q.v) FROM (SELECT 5 AS v) q WHERE q.v > \"e\")", F]]`,
  );
  expect(columns.slice(0, 2)).toEqual(['d NUMBER(38,0)', 'e NUMBER(38,0)']);
  expect(rows).toEqual([
    [2, 3, 5],
    [4, 5, null],
  ]);
});

test('a calculated column whose name an input column has in another case is another column', async () => {
  const { rows } = await calculated(String.raw`[["\"x\" + 100", X], ["X + 1", Z], ["\"x\" + 1", Y]]`);
  expect(rows).toEqual([
    [101, 102, 2],
    [102, 103, 3],
  ]);
});

test('window functions see the whole input, and their results can be used', async () => {
  const { columns, rows } = await calculated(
    String.raw`[["ROW_NUMBER() OVER (ORDER BY \"x\" DESC)", RN], ["SUM(PRICE) OVER ()", SUM], ["RN + 1", NEXT]]`,
  );
  expect(columns).toEqual(['RN NUMBER(18,0)', 'SUM NUMBER(38,2)', 'NEXT NUMBER(19,0)']);
  expect(rows).toEqual([
    [1, '11.00', 2],
    [2, '11.00', 3],
  ]);
});

test('in the second kind of warehouse, all names are in lower case', async () => {
  const { columns, rows } = await output(
    `
items:
  type: table-input
  parameters: { targetTable: items, columnNames: [ID] }
Calculate:
  type: calculator
  sources: [items]
  parameters:
    includeInputColumns: Yes
    calculations: [['"ID" + 1', Next], ['"NEXT" / 2', ID]]
`,
    { kind: 'WAREHOUSE_TWO', tables: { items: { columns: { id: { name: 'INTEGER' } }, rows: [[4]] } } },
  );
  expect(columns).toEqual(['id INTEGER', 'next INTEGER']);
  expect(rows).toEqual([[2, 5]]);
});

test.each([
  ['a later calculated column', String.raw`[["\"e\" + 1", d], ["1", e]]`, 'No', /column "e" not found/],
  ['an unknown column', '[["y + 1", d]]', 'No', /a.tran.yaml:\d+:\d+: column "Y" not found; known: "x"/],
  ['two names that are equal', '[["1", d], ["2", d]]', 'No', /two output columns have the name "d"/],
  ['a name replaced twice', '[["1", x], ["2", x]]', 'Yes', /two output columns have the name "x"/],
  [
    'names that differ in case',
    '[["1", Name]]',
    'Yes',
    /"NAME" and "Name", whose names differ only in upper and lower case/,
  ],
  ['an aggregate without OVER', '[["SUM(PRICE)", S]]', 'Yes', /GROUP BY/],
  [
    'an empty expression',
    '[["", S]]',
    'Yes',
    /a row of calculations has no expression: its first cell is empty/,
  ],
  ['a row with one cell', '[["1"]]', 'Yes', /a row of calculations has no name: its second cell is empty/],
  ['two statements', '[["1; SELECT 2", S]]', 'Yes', /Millrace does not support ;/],
  ['an unset choice of columns', '[["1", S]]', '""', /includeInputColumns is not set: write Yes or No/],
  ['no columns at all', '[]', 'No', /no output column/],
])('%s is an error', async (_title, calculations, include, message) => {
  await expect(calculated(calculations, include)).rejects.toThrow(message);
});

test('a chain of 60 columns, each of which uses the one before twice, is computed', async () => {
  const chain = Array.from({ length: 60 }, (_, index) => {
    const before = index === 0 ? '"x"' : `"C${index - 1}"`;
    return [`${before} + ${before}`, `C${index}`];
  });
  const { rows } = await calculated(JSON.stringify(chain));
  expect(rows.map((row) => row[59])).toEqual([2n ** 60n, 2n ** 61n]);
});

test('columns that use earlier ones keep their places and see the columns of the input first', async () => {
  const { columns, rows } = await calculated(
    String.raw`[["\"x\" * 2", A], ["\"A\" + 1", x], ["\"A\" + \"x\"", B], ["'A'", C], ["\"A\" + \"B\"", D]]`,
    'Yes',
  );
  expect(columns.map((column) => column.split(' ')[0])).toEqual([
    'x',
    'PRICE',
    'NAME',
    'DOC',
    'A',
    'B',
    'C',
    'D',
  ]);
  expect(rows.map((row) => [row[0], ...row.slice(4)])).toEqual([
    [3, 2, 3, 'A', 5],
    [5, 4, 6, 'A', 10],
  ]);
});

test('a window function may use a column that is calculated before it', async () => {
  const { rows } = await calculated(
    String.raw`[["\"PRICE\" * 2", D], ["SUM(\"D\") OVER ()", T], ["\"T\" - \"D\"", O]]`,
  );
  expect(rows).toEqual([
    ['1.00', '22.00', '21.00'],
    ['21.00', '22.00', '1.00'],
  ]);
});

test('a column that takes a number from a sequence takes one for each row, and others use it', async () => {
  const source = `
items:
  type: table-input
  parameters: { targetTable: items, columnNames: [x] }
Calculate:
  type: calculator
  sources: [items]
  parameters:
    includeInputColumns: No
    calculations: [["ids.NEXTVAL", ID], ["ID + 1", NEXT], ["NEXT - ID", ONE]]
`;
  await using warehouse = await openWarehouse({ kind: 'WAREHOUSE_ONE', memoryLimit: '200MB' });
  await warehouse.createSchema('DB', 'S');
  await warehouse.run('CREATE SEQUENCE "DB.S"."IDS"');
  const { rows } = await output(source, { tables: { items }, warehouse });
  expect(rows).toEqual([
    [1, 2, 1],
    [2, 3, 1],
  ]);
});
