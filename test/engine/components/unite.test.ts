import { expect, test } from 'vitest';
import type { WarehouseKind } from '../../../engine/core/sql-type.ts';
import {
  BOOLEAN,
  DATE,
  decimal,
  FLOAT,
  type GivenTable,
  NUMBER,
  TEXT,
  TIMESTAMP,
  VARIANT,
} from '../transformation/transform.ts';
import { outputs, type Output } from './outputs.ts';

const outputOf = outputs();

/** Unites the tables, in their order. */
function unite(
  tables: Readonly<Record<string, GivenTable>>,
  parameters: string,
  kind: WarehouseKind = 'WAREHOUSE_ONE',
): Promise<Output> {
  const readers = Object.entries(tables).map(
    ([name, { columns }]) =>
      `${name}:\n  type: table-input\n  parameters: { targetTable: ${name}, columnNames: [${Object.keys(columns).join(', ')}] }\n`,
  );
  const sources = Object.keys(tables).join(', ');
  const last = `Unite:\n  type: unite\n  sources: [${sources}]\n  parameters: { ${parameters} }\n`;
  return outputOf(readers.join('') + last, { tables, kind });
}

const a = { columns: { A: NUMBER, B: TEXT }, rows: [[1, 'x']] } as const;
const b = { columns: { B: TEXT, C: NUMBER }, rows: [['x', 2]] } as const;

test('all columns: first the first source’s; NULL where an input has none', async () => {
  const { columns, rows } = await unite({ a, b }, 'method: All Columns, castTypes: Yes');
  expect(columns).toEqual(['A NUMBER(38,0)', 'B VARCHAR', 'C NUMBER(38,0)']);
  expect(rows).toEqual([
    [1, 'x', null],
    [null, 'x', 2],
  ]);
});

test('overlapping columns: only those that every input has', async () => {
  const { columns, rows } = await unite({ a, b }, 'method: Overlapping Columns');
  expect(columns).toEqual(['B VARCHAR']);
  expect(rows).toEqual([['x'], ['x']]);
});

test('the order of the sources is the order of the columns', async () => {
  const { columns } = await unite({ b, a }, 'method: All Columns');
  expect(columns.map((column) => column.split(' ')[0])).toEqual(['B', 'C', 'A']);
});

const twice = {
  columns: { A: NUMBER, B: TEXT },
  rows: [
    [1, null],
    [1, null],
    [2, 'x'],
  ],
} as const;

test.each([
  ['No', 5],
  ['Yes', 2],
])('removeDuplicates: %s; rows with NULLs are equal', async (removes, count) => {
  const second = { ...twice, rows: twice.rows.slice(1) };
  const { rows } = await unite({ twice, second }, `method: All Columns, removeDuplicates: ${removes}`);
  expect(rows).toHaveLength(count);
});

test('duplicates of a single input are removed', async () => {
  expect((await unite({ twice }, 'removeDuplicates: Yes')).rows).toHaveLength(2);
});

test('the name of the input is a part of the row', async () => {
  const second = { ...a };
  const parameters = 'method: All Columns, addSourceComponentColumn: Yes, removeDuplicates: Yes';
  const { columns, rows } = await unite({ a, second }, parameters);
  expect(columns).toEqual(['A NUMBER(38,0)', 'B VARCHAR', 'source_table VARCHAR']);
  expect(rows).toEqual([
    [1, 'x', 'a'],
    [1, 'x', 'second'],
  ]);
});

const oneRow = (
  type: GivenTable['columns'][string],
  value: string | number | boolean | null,
): GivenTable => ({
  columns: { V: type },
  rows: [[value]],
});

test.each([
  [
    'numbers of different sizes',
    oneRow(decimal(10, 3), '1.125'),
    oneRow(decimal(12, 2), '3.50'),
    'NUMBER(13,3)',
    ['1.125', '3.500'],
  ],
  ['a number and a floating-point number', oneRow(NUMBER, 1), oneRow(FLOAT, 2.5), 'FLOAT', [1, 2.5]],
  [
    'a date and a timestamp',
    oneRow(DATE, '2026-01-02'),
    oneRow(TIMESTAMP, '2026-01-01 05:06:07'),
    'TIMESTAMP',
    ['2026-01-01 05:06:07', '2026-01-02 00:00:00'],
  ],
  ['a number and a text', oneRow(NUMBER, 7), oneRow(TEXT, 'x'), 'VARCHAR', ['7', 'x']],
  [
    'a boolean and a date',
    oneRow(BOOLEAN, true),
    oneRow(DATE, '2026-01-02'),
    'VARCHAR',
    ['2026-01-02', 'true'],
  ],
])('castTypes: %s', async (_title, first, second, type, values) => {
  const { columns, rows } = await unite({ first, second }, 'castTypes: Yes');
  expect(columns).toEqual([`V ${type}`]);
  expect(rows.flat()).toEqual(values);
});

test('texts of different lengths become one of the longest', async () => {
  const text = (length: number) => oneRow({ name: 'VARCHAR', length }, 'abc');
  expect((await unite({ a: text(3), b: text(3) }, 'castTypes: No')).columns).toEqual(['V VARCHAR(3)']);
  expect((await unite({ a: text(3), b: text(5) }, 'castTypes: No')).columns).toEqual(['V VARCHAR(5)']);
});

test('numbers of different sizes need no cast', async () => {
  const { columns } = await unite(
    { a: oneRow(decimal(4, 2), '1.00'), b: oneRow(NUMBER, 2) },
    'castTypes: No',
  );
  expect(columns).toEqual(['V NUMBER(38,2)']);
});

test('without castTypes, columns of different types are an error', async () => {
  await expect(unite({ a: oneRow(NUMBER, 1), b: oneRow(TEXT, 'x') }, 'castTypes: No')).rejects.toThrow(
    /a.tran.yaml:\d+:\d+: the column "V" has the types NUMBER\(38,0\) and VARCHAR in the inputs, but castTypes is No/,
  );
});

test('columns match by their exact names', async () => {
  const lower = { columns: { a: NUMBER }, rows: [] };
  await expect(unite({ a, lower }, 'method: All Columns')).rejects.toThrow(
    /Millrace does not support output columns "A" and "a", whose names differ only in upper and lower case/,
  );
  await expect(unite({ a, lower }, 'method: Overlapping Columns')).rejects.toThrow(
    /no column name in common/,
  );
});

test('semi-structured values with keys in another order are duplicates', async () => {
  const docs = { columns: { DOC: VARIANT }, rows: [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }]] } as const;
  expect((await unite({ docs }, 'removeDuplicates: No')).rows).toHaveLength(2);
  expect((await unite({ docs }, 'removeDuplicates: Yes')).rows).toEqual([[{ a: 1, b: 2 }]]);
});

test('another method is refused', async () => {
  await expect(unite({ a, b }, 'method: Some Columns')).rejects.toThrow(
    /Millrace does not support method: Some Columns/,
  );
});

test('on a warehouse of kind 2, duplicates among texts that end with a space are refused', async () => {
  const texts = { columns: { v: TEXT }, rows: [['x'], ['x ']] };
  expect((await unite({ texts }, 'removeDuplicates: No', 'WAREHOUSE_TWO')).rows).toHaveLength(2);
  await expect(unite({ texts }, 'removeDuplicates: Yes', 'WAREHOUSE_TWO')).rejects.toThrow(
    /does not support DISTINCT of a text that ends with a space; apply RTRIM to it/,
  );
});

test('on a warehouse of kind 2, a boolean does not become a text', async () => {
  const yes = { columns: { v: BOOLEAN }, rows: [[true]] };
  const text = { columns: { v: TEXT }, rows: [['x']] };
  await expect(unite({ yes, text }, 'castTypes: Yes', 'WAREHOUSE_TWO')).rejects.toThrow(
    /a.tran.yaml:\d+:\d+: Millrace does not support a cast from BOOLEAN to text/,
  );
  const whole = { columns: { v: { name: 'INTEGER' } }, rows: [[1]] } as const;
  const big = { columns: { v: { name: 'BIGINT' } }, rows: [[2]] } as const;
  expect(await unite({ whole, big }, 'castTypes: Yes', 'WAREHOUSE_TWO')).toMatchObject({
    columns: ['v BIGINT'],
    rows: [[1], [2]],
  });
});

test('ARRAY, OBJECT and VARIANT are types of their own, and have VARIANT in common', async () => {
  const array = oneRow({ name: 'VARIANT', shape: 'ARRAY' }, null);
  const object = oneRow({ name: 'VARIANT', shape: 'OBJECT' }, null);
  const variant = oneRow(VARIANT, 7);
  for (const [first, second, types] of [
    [array, object, 'ARRAY and OBJECT'],
    [variant, array, 'VARIANT and ARRAY'],
  ] as const) {
    await expect(unite({ first, second }, 'castTypes: No')).rejects.toThrow(
      `has the types ${types} in the inputs`,
    );
    expect((await unite({ first, second }, 'castTypes: Yes')).columns).toEqual(['V VARIANT']);
  }
  expect((await unite({ first: array, second: array }, 'castTypes: No')).rows).toHaveLength(2);
});
