import { expect, test } from 'vitest';
import { type GivenTable, NUMBER, TEXT, type TransformOptions } from '../transformation/transform.ts';
import { outputs } from './outputs.ts';

const output = outputs();

const orders: GivenTable = {
  columns: { ID: NUMBER, name: TEXT },
  rows: [
    [1, 'a'],
    [2, 'b'],
    [3, null],
  ],
};

/** A query over the component `Read orders (all)` and the table ORDERS. */
function queried(query: string, options: TransformOptions = {}) {
  return output(
    `
Read orders (all):
  type: table-input
  parameters: { targetTable: ORDERS, columnNames: [ID, name] }
Query:
  type: sql
  sources: ["Read orders (all)"]
  parameters: { query: ${JSON.stringify(query)} }
`,
    { tables: { ORDERS: orders }, ...options },
  );
}

test('a source is read by its name; names without quotes are folded in the output', async () => {
  const { columns, rows } = await queried(
    'SELECT count(*) AS total, max(o.id) "Last", min("name") FROM $T{Read orders (all)} AS o;',
  );
  expect(columns).toEqual(['TOTAL NUMBER(18,0)', 'Last NUMBER(38,0)', 'COLUMN_3 VARCHAR']);
  expect(rows).toEqual([[3, 3, 'a']]);
});

test('tables and common tables can be read, and a source may stay unused', async () => {
  const { columns, rows } = await queried(
    'WITH big AS (SELECT * FROM orders WHERE id > 1) SELECT id, "name", NULL AS nothing FROM big ORDER BY id LIMIT 1',
  );
  expect(columns).toEqual(['ID NUMBER(38,0)', 'name VARCHAR', 'NOTHING VARCHAR']);
  expect(rows).toEqual([[2, 'b', null]]);
});

test('without sources, tables are read, and the query may be a variable', async () => {
  const text = { type: 'TEXT', columns: [], value: 'SELECT id + 1 AS next FROM orders WHERE id = 1' };
  const { columns, rows } = await output('Query:\n  type: sql\n  parameters: { query: "${query}" }', {
    tables: { ORDERS: orders },
    variables: { query: text },
  });
  expect(columns).toEqual(['NEXT NUMBER(38,0)']);
  expect(rows).toEqual([[2]]);
});

test('a later component sees the folded names of the output', async () => {
  const components = `
Query:
  type: sql
  parameters: { query: SELECT 1 AS total }
Rename:
  type: rename
  sources: [Query]
  parameters: { includeInputColumns: No, columnMapping: [[total, T]] }
`;
  await expect(output(components)).rejects.toThrow(/it has "TOTAL": upper and lower case differ/);
  const { rows } = await output(components.replace('[[total', '[[TOTAL'));
  expect(rows).toEqual([[1]]);
});

test('in the second kind of warehouse, all names are in lower case', async () => {
  const lowerOrders: GivenTable = { columns: { id: { name: 'INTEGER' }, name: TEXT }, rows: [[7, 'x']] };
  const { columns, rows } = await queried('SELECT ID / 2 AS "Half" FROM $T{Read orders (all)}', {
    kind: 'WAREHOUSE_TWO',
    tables: { orders: lowerOrders },
  });
  expect(columns).toEqual(['half INTEGER']);
  expect(rows).toEqual([[3]]);
});

test.each([
  [
    'a component that is not a source',
    'SELECT * FROM $T{Other}',
    /\$T\{Other\} is not a source of this component/,
  ],
  ['another statement', 'DELETE FROM orders', /a.tran.yaml:11:29: expected SELECT/],
  ['two statements', 'SELECT 1; SELECT 2', /Millrace does not support several statements in a query/],
  [
    'a function that is not known',
    'SELECT zipf(1, 2, 3)',
    /a.tran.yaml:\d+:\d+: Millrace does not support the function ZIPF/,
  ],
  ['two columns of one name', 'SELECT 1 AS a, 2 AS A', /two columns with the names "A" and "A"/],
  ['no query', '', /the parameter query is not set/],
])('%s is an error', async (_title, query, message) => {
  await expect(queried(query)).rejects.toThrow(message);
});

test('text that is not a number fails the component that converts it', async () => {
  await expect(
    queried('SELECT "name"::number AS n FROM $T{Read orders (all)}').catch((error: unknown) => {
      expect(error).toMatchObject({ name: 'ComponentFailure', component: 'Query' });
      throw error;
    }),
  ).rejects.toThrow(/the text 'a' is not a number/);
});
