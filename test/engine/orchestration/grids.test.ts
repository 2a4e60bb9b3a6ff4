import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pipeline, startThen, variable } from '../execution/execute.ts';
import { NUMBER, openTestWarehouse, TEXT, type TestSchema } from '../execution/on-warehouse.ts';
import { runOne } from './run-one.ts';

let opened: Awaited<ReturnType<typeof openTestWarehouse>>;
let schema: TestSchema;
beforeAll(async () => {
  opened = await openTestWarehouse();
  schema = opened.schema();
  await schema.create('orders', { ID: NUMBER, name: TEXT, day: { name: 'DATE' } }, [
    [1, 'a', '2026-01-02'],
    [2, null, '2026-01-01'],
    [3, 'c', null],
  ]);
});
afterAll(() => opened[Symbol.asyncDispose]());

describe('query-to-grid', () => {
  const variables = { g: variable('GRID', [['old', 'old']], { columns: ['key', 'label'] }) };

  test('replaces the rows of the grid, by the names of its columns', async () => {
    const query = 'SELECT "ID", COALESCE("name", \'none\') AS name FROM "orders" ORDER BY 1';
    const gridVariableMapping = [
      ['name', 'Label'],
      ['id', 'key'],
    ];
    const parameters = { mode: 'Advanced', query, gridVariable: 'g', gridVariableMapping };
    const done = await runOne(schema, 'query-to-grid', parameters, { variables });
    expect(done.step).toMatchObject({ message: '3 rows in "g".', rowsRead: 3 });
    expect(done.variable('g')).toEqual([
      ['1', 'a'],
      ['2', 'none'],
      ['3', 'c'],
    ]);
  });

  test('fills a grid without names of columns in the order of the mapping', async () => {
    const parameters = {
      query: 'SELECT 1 AS a, 2 AS b',
      gridVariable: 'g',
      gridVariableMapping: [
        ['b', 'x'],
        ['a', 'y'],
      ],
    };
    const nameless = { g: variable('GRID', []) };
    const done = await runOne(schema, 'query-to-grid', parameters, { variables: nameless });
    expect(done.variable('g')).toEqual([['2', '1']]);
  });

  test('fails where there are more rows than a grid may have', async () => {
    const parameters = {
      query: 'SELECT "ID" FROM "orders"',
      gridVariable: 'g',
      gridVariableMapping: [['ID', 'key']],
    };
    const done = await runOne(schema, 'query-to-grid', parameters, { variables, limits: { iterations: 2 } });
    expect(done.message).toContain('the query returned more than 2 rows');
    expect(done.variable('g')).toEqual([['old', 'old']]);
  });

  test.each([
    ['NULL and empty texts as empty cells', "SELECT NULL AS a, '' AS b", [['', '']]],
    ['no rows', 'SELECT 1 AS a, 2 AS b WHERE 1 = 0', []],
    [
      'decimals with their places',
      'SELECT 0::NUMBER(38,10) AS a, -0.0000001::FLOAT AS b',
      [['0.0000000000', '-0.0000001']],
    ],
    [
      'all digits',
      'SELECT 12345678901234567890123456789012345678 AS a, 1e20::FLOAT AS b',
      [['12345678901234567890123456789012345678', '100000000000000000000']],
    ],
    [
      'timestamps',
      "SELECT '2026-01-02 03:04:05.120'::TIMESTAMP AS a, '0001-01-01'::DATE AS b",
      [['2026-01-02 03:04:05.12', '0001-01-01']],
    ],
    [
      'semi-structured values',
      `SELECT PARSE_JSON('{"b":[1,null],"a":"x"}') AS a, PARSE_JSON('null') AS b`,
      [['{"a":"x","b":[1,null]}', '']],
    ],
    [
      'unsafe characters as they are',
      "SELECT CHR(27) || '[31m<script>' AS a, 'l1\nl2' AS b",
      [['\u001B[31m<script>', 'l1\nl2']],
    ],
    ['only the mapped columns', 'SELECT 1 AS a, 2 AS b, 3 AS c', [['1', '2']]],
    ['an exact name before one in other case', 'SELECT 1 AS " a", 2 AS a, 3 AS b', [['1', '3']], ' a'],
  ])('takes %s', async (_, query, rows, first = 'a') => {
    const gridVariableMapping = [
      [first, 'key'],
      ['b', 'label'],
    ];
    const parameters = { query, gridVariable: 'g', gridVariableMapping };
    const done = await runOne(schema, 'query-to-grid', parameters, { variables });
    expect(done.message).toMatch(/^\d rows? in "g"\.$/);
    expect(done.variable('g')).toEqual(rows);
  });

  test.each([
    [
      'of one grid column twice',
      [
        ['a', 'key'],
        ['b', 'KEY'],
      ],
      'KEY"',
      'the grid column "KEY" is mapped twice in gridVariableMapping; remove one of its two rows',
    ],
    ['without columns', [], '{"query"', 'the parameter gridVariableMapping is not set'],
    [
      'with one value in a row',
      [['a']],
      '["a"]',
      'each row of gridVariableMapping needs two values: a column of the query and a column of the grid',
    ],
    [
      'of a column that the query lacks',
      [['z', 'key']],
      'z"',
      'the query has no column "z"; it has "A", "B"',
    ],
    [
      'of a column that the grid lacks',
      [['a', 'value']],
      'value"',
      'the grid "g" has no column "value"; it has "key", "label"',
    ],
  ])('fails for a mapping %s', async (_, gridVariableMapping, at, message) => {
    const parameters = { query: 'SELECT 1 AS a, 2 AS b', gridVariable: 'g', gridVariableMapping };
    const done = await runOne(schema, 'query-to-grid', parameters, { variables });
    expect(done.message).toBe(`main.orch.yaml:1:${done.text.indexOf(at) + 1}: ${message}`);
    expect(done.variable('g')).toEqual([['old', 'old']]);
  });

  test.each(['SELECT 1 AS a, 2 AS a', 'SELECT 1 AS "a", 2 AS "A"'])('refuses %s', async (query) => {
    const parameters = { query, gridVariable: 'g', gridVariableMapping: [['a', 'key']] };
    const done = await runOne(schema, 'query-to-grid', parameters, { variables });
    expect(done.message).toMatch(/does not support two columns with the names/);
  });

  test('fails for a variable that is not a grid', async () => {
    const text = { query: 'SELECT 1 AS n', gridVariable: 'x', gridVariableMapping: [['n', 'value']] };
    const done = await runOne(schema, 'query-to-grid', text, { variables: { x: variable('TEXT', '') } });
    expect(done.message).toContain('the variable "x" is not a grid');
  });
});

test('table-metadata-to-grid has a row for each column, which creates the same table again', async () => {
  const testSchema = opened.schema();
  await testSchema.create(
    'source',
    { id: { name: 'NUMBER', precision: 10, scale: 2 }, note: { name: 'VARCHAR', length: 5 } },
    [],
  );
  const main = pipeline(
    {
      Start: startThen('Read'),
      Read: {
        type: 'table-metadata-to-grid',
        parameters: {
          targetTable: 'source',
          gridVariable: 'columns',
          gridVariableMapping: ['Name', 'Type', 'Size', 'Precision'],
        },
        transitions: { success: ['Create'] },
      },
      Create: {
        type: 'create-table',
        parameters: {
          newTableName: 'copy',
          createReplace: 'Create',
          columns: { fromGrid: { variable: 'columns', columns: ['name', 'type', 'size', 'scale'] } },
        },
      },
    },
    { columns: variable('GRID', [], { columns: ['name', 'type', 'size', 'scale'] }) },
  );
  const done = await testSchema.run({ 'main.orch.yaml': main });
  expect(done.variable('columns')).toEqual([
    ['id', 'NUMBER', '10', '2'],
    ['note', 'VARCHAR', '5', ''],
  ]);
  expect(testSchema.columns('copy')).toEqual(testSchema.columns('source'));
});

test.each([
  ['sql-script', { sqlScript: 'CREATE TABLE t (id INT PRIMARY KEY, note VARCHAR(5))' }, ['Yes', 'No']],
  [
    'sql-script',
    { sqlScript: 'CREATE TABLE t (id INT, note VARCHAR(5), PRIMARY KEY (id, note))' },
    ['Yes', 'Yes'],
  ],
  [
    'sql-script',
    { sqlScript: "CREATE TABLE t (id INT PRIMARY KEY, note VARCHAR(5)) AS SELECT 1, 'a'" },
    ['Yes', 'No'],
  ],
  ['sql-script', { sqlScript: 'CREATE TABLE t (id INT NOT NULL, note VARCHAR(5) UNIQUE)' }, ['No', 'No']],
  [
    'sql-script',
    {
      sqlScript: 'CREATE TABLE t (id INT, n VARCHAR(5) PRIMARY KEY); ALTER TABLE t RENAME COLUMN n TO note',
    },
    ['No', 'Yes'],
  ],
  [
    'sql-script',
    {
      sqlScript:
        'CREATE TABLE t (id INT PRIMARY KEY, note VARCHAR(5)); CREATE OR REPLACE TABLE t AS SELECT * FROM t',
    },
    ['No', 'No'],
  ],
  [
    'create-table',
    {
      newTableName: 'T',
      columns: [
        ['ID', 'NUMBER'],
        ['NOTE', 'VARCHAR', '5'],
      ],
      primaryKeys: ['NOTE'],
    },
    ['No', 'Yes'],
  ],
])('table-metadata-to-grid tells the columns of the primary key: %s %j', async (type, parameters, keys) => {
  const testSchema = opened.schema();
  const read = {
    targetTable: 'T',
    gridVariable: 'columns',
    gridVariableMapping: ['Name', 'Primary Key', 'Size'],
  };
  const main = pipeline(
    {
      Start: startThen('Create'),
      Create: { type, parameters, transitions: { success: ['Read'] } },
      Read: { type: 'table-metadata-to-grid', parameters: read },
    },
    { columns: variable('GRID', [], { columns: ['name', 'key', 'size'] }) },
  );
  const done = await testSchema.run({ 'main.orch.yaml': main });
  expect(done.state.status).toBe('SUCCESS');
  const rows = done.variable('columns') as readonly string[][];
  expect(rows.map(([name]) => name)).toEqual(['ID', 'NOTE']);
  expect(rows.map(([, key]) => key)).toEqual(keys);
});
