import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLike } from '../../../engine/components/is-like.ts';
import { openWarehouse } from '../../../engine/duckdb/open-warehouse.ts';
import type { Warehouse } from '../../../engine/duckdb/connection/warehouse.ts';
import {
  DATE,
  decimal,
  FLOAT,
  type GivenTable,
  NUMBER,
  TEXT,
  TIMESTAMP,
} from '../transformation/transform.ts';
import { outputs } from './outputs.ts';

const output = outputs();

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openWarehouse({ kind: 'WAREHOUSE_ONE', memoryLimit: '200MB' });
});
afterAll(async () => {
  await warehouse[Symbol.asyncDispose]();
});

const short = { name: 'VARCHAR', length: 5 } as const;
const tables: Readonly<Record<string, GivenTable>> = {
  ORDERS_B: { columns: { ID: NUMBER, NAME: TEXT, X: NUMBER, Y: DATE }, rows: [[2, 'b', 1, null]] },
  ORDERS_A: {
    columns: { NAME: short, ID: NUMBER, X: decimal(10, 2), Y: TEXT },
    rows: [['a', 1, '1.50', null]],
  },
  ORDERSX: { columns: { ID: NUMBER }, rows: [[3]] },
  orders_c: { columns: { ID: NUMBER, NAME: TEXT }, rows: [[4, 'c']] },
};

function read(parameters: string, inputTables = tables) {
  return output(
    `
Read all:
  type: multi-table-input
  parameters: { patternType: Like, ${parameters} }
`,
    { tables: inputTables, warehouse },
  );
}

test('the rows of all matching tables follow each other; case counts', async () => {
  const { columns, rows } = await read('pattern: "ORDERS__%", columns: [NAME, ID], castTypes: No');
  expect(columns).toEqual(['NAME VARCHAR', 'ID NUMBER(38,0)']);
  expect(rows).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
});

test('the name of the table may follow, and an underscore is any character', async () => {
  const { columns, rows } = await read('pattern: "ORDERS_", columns: [ID], addSourceTable: Yes');
  expect(columns).toEqual(['ID NUMBER(38,0)', 'source_table VARCHAR']);
  expect(rows).toEqual([[3, 'ORDERSX']]);
  const both = await read('pattern: "ORDERS__", columns: [ID], addSourceTable: Yes');
  expect(both.rows).toEqual([
    [1, 'ORDERS_A'],
    [2, 'ORDERS_B'],
  ]);
});

test('without castTypes, numbers and texts of different sizes still are of one type', async () => {
  const { columns, rows } = await read('pattern: "ORDERS__", columns: [NAME, X], castTypes: No');
  expect(columns).toEqual(['NAME VARCHAR', 'X NUMBER(38,2)']);
  expect(rows).toEqual([
    ['a', '1.50'],
    ['b', '1.00'],
  ]);
});

test('views match too', async () => {
  await read('pattern: "ORDERS_B", columns: [ID]');
  await warehouse.run('CREATE OR REPLACE VIEW "DB.S"."ORDERS_V" AS SELECT 7::DECIMAL(38,0) AS "ID"');
  await warehouse.refresh();
  const { rows } = await read('pattern: "ORDERS_V", columns: [ID]', {});
  expect(rows).toEqual([[7]]);
  await warehouse.run('DROP VIEW "DB.S"."ORDERS_V"');
  await warehouse.refresh();
});

test('with castTypes, columns of different types get a common one', async () => {
  const mixedTables: Readonly<Record<string, GivenTable>> = {
    T1: {
      columns: { A: NUMBER, B: NUMBER, C: DATE, D: NUMBER },
      rows: [[1, 2, '2026-01-01', 5]],
    },
    T2: {
      columns: { A: decimal(10, 2), B: FLOAT, C: TIMESTAMP, D: TEXT },
      rows: [['1.50', 0.5, '2026-01-02 10:00:00', 'x']],
    },
  };
  const { columns, rows } = await read('pattern: "T_", columns: [A, B, C, D], castTypes: Yes', mixedTables);
  expect(columns).toEqual(['A NUMBER(38,2)', 'B FLOAT', 'C TIMESTAMP', 'D VARCHAR']);
  expect(rows).toEqual([
    ['1.00', 2, '2026-01-01 00:00:00', '5'],
    ['1.50', 0.5, '2026-01-02 10:00:00', 'x'],
  ]);
});

test('in the second kind of warehouse, the pattern and the names are in lower case', async () => {
  const lowerTables: Readonly<Record<string, GivenTable>> = {
    multi_a: { columns: { id: NUMBER }, rows: [[1]] },
    multi_b: { columns: { id: NUMBER }, rows: [[2]] },
  };
  const { columns, rows } = await output(
    `
Read all:
  type: multi-table-input
  parameters: { patternType: Like, pattern: "MULTI%", columns: [ID], addSourceTable: Yes }
`,
    { kind: 'WAREHOUSE_TWO', tables: lowerTables },
  );
  expect(columns).toEqual(['id NUMBER(38,0)', 'source_table VARCHAR']);
  expect(rows).toEqual([
    [1, 'multi_a'],
    [2, 'multi_b'],
  ]);
});

test.each([
  [
    'a pattern that no table matches',
    'pattern: "INVOICES%", columns: [ID]',
    /no table or view has a name that matches the pattern "DB"."S"."INVOICES%"/,
  ],
  [
    'a table without a column',
    'pattern: "ORDERS%", columns: [NAME]',
    /"NAME" was not found in the table "DB"."S"."ORDERSX"/,
  ],
  [
    'different types without castTypes',
    'pattern: "ORDERS__", columns: [Y], castTypes: No',
    /the column "Y" has the types VARCHAR and DATE in the inputs, but castTypes is No/,
  ],
  ['another kind of pattern', 'patternType: Regex, pattern: "O.*", columns: [ID]', /patternType/],
  [
    'a backslash',
    "pattern: 'ORDERS\\_%', columns: [ID]",
    /Millrace does not support a backslash in the parameter pattern/,
  ],
  [
    'no columns',
    'pattern: "ORDERS%", columns: []',
    /the parameter columns names no column: list at least one/,
  ],
])('%s is an error', async (title, parameters, message) => {
  const components = `
Read all:
  type: multi-table-input
  parameters: { ${title === 'another kind of pattern' ? '' : 'patternType: Like, '}${parameters} }
`;
  await expect(output(components, { tables, warehouse })).rejects.toThrow(message);
});

test.each([
  ['abc', 'abc', true],
  ['abc', 'ab', false],
  ['abc', 'abcd', false],
  ['abc', '%', true],
  ['', '%', true],
  ['', '', true],
  ['abc', 'a%c', true],
  ['ac', 'a%c', true],
  ['a', 'a%a', false],
  ['abab', '%ab', true],
  ['aXbXc', 'a%b%c', true],
  ['abcb', 'a_c%b', true],
  ['abc', '%b', false],
  ['grün', 'gr_n', true],
])('the text %j like %j: %s', (text, pattern, isTrue) => {
  expect(isLike(text, pattern)).toBe(isTrue);
});
