import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pipeline, startThen, stepsOf, variable } from '../execution/execute.ts';
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

describe('query-to-scalar', () => {
  const variables = { x: variable('TEXT', 'old'), n: variable('NUMBER', '7'), g: variable('GRID', []) };

  test.each([
    ['SELECT 1.50::NUMBER(10,2) AS v', '1.50'],
    ['SELECT 3::FLOAT AS v', '3'],
    ['SELECT 1e22::FLOAT AS v', '10000000000000000000000'],
    ['SELECT 1.5e-7::FLOAT AS v', '0.00000015'],
    ["SELECT '2026-01-02'::DATE AS v", '2026-01-02'],
    ["SELECT '2026-01-02 03:04:05.600'::TIMESTAMP_NTZ AS v", '2026-01-02 03:04:05.6'],
    ['SELECT TRUE AS v', 'true'],
    ['SELECT PARSE_JSON(\'{ "a": [1, 2] }\') AS v', '{"a":[1,2]}'],
    ['SELECT NULL AS v', ''],
    ['SELECT 12345678901234567890123456789012345678 AS v', '12345678901234567890123456789012345678'],
  ])('the text of %s is %j', async (query, expected) => {
    const done = await runOne(
      schema,
      'query-to-scalar',
      { mode: 'Advanced', query, scalarVariableMapping: [['x', 'v']] },
      { variables },
    );
    expect(done.message).toBe(`x=${expected}`);
    expect(done.variable('x')).toBe(expected);
  });

  test('takes the first row, finds columns without regard to case, and says that there were more', async () => {
    const query = 'SELECT "ID" AS first_id, "name" FROM "orders" ORDER BY 1';
    const scalarVariableMapping = [
      ['n', 'First_Id'],
      ['x', 'NAME'],
    ];
    const done = await runOne(schema, 'query-to-scalar', { query, scalarVariableMapping }, { variables });
    expect(done.variable('n')).toBe('1');
    expect(done.variable('x')).toBe('a');
    expect(done.step?.notices).toEqual(['the query returned more than one row, so the first row was used']);
    const limited = { query: `${query} LIMIT 1`, scalarVariableMapping };
    expect((await runOne(schema, 'query-to-scalar', limited, { variables })).step?.notices).toEqual([]);
  });

  test('an array with an SQL NULL has the text of the warehouse', async () => {
    const query = "SELECT array_construct('a', NULL) AS v";
    const scalarVariableMapping = [['x', 'v']];
    const done = await runOne(schema, 'query-to-scalar', { query, scalarVariableMapping }, { variables });
    expect(done.variable('x')).toBe('["a",undefined]');
  });

  test.each([
    ['no rows', 'SELECT 1 AS v WHERE FALSE', [['x', 'v']], 'the query returned no rows'],
    ['a column that is not there', 'SELECT 1 AS v', [['x', 'w']], 'the query has no column "w"; it has "V"'],
    ['a variable that is not there', 'SELECT 1 AS v', [['y', 'v']], 'the variable "y" is not defined'],
    [
      'a text for a number',
      "SELECT 'a' AS v",
      [['n', 'v']],
      'the variable "n" is a number and cannot be "a"',
    ],
    ['two statements', 'SELECT 1 AS v; SELECT 2 AS v', [['x', 'v']], 'several statements'],
  ])('fails with %s', async (_, query, scalarVariableMapping, message) => {
    const done = await runOne(schema, 'query-to-scalar', { query, scalarVariableMapping }, { variables });
    expect(done.status).toBe('FAILED');
    expect(done.message).toContain(message);
  });

  test('reads a table in the mode Basic, filtered, sorted and limited', async () => {
    const parameters = {
      mode: 'Basic',
      table: 'orders',
      database: '[Environment Default]',
      tableColumns: ['ID', 'day'],
      filterConditions: [['name', 'Not', 'Null', '']],
      combineCondition: 'And',
      orderBy: ['ID'],
      sort: 'Descending',
      limit: '1',
      scalarVariableMapping: [
        ['n', 'ID'],
        ['x', 'day'],
      ],
    };
    const done = await runOne(schema, 'query-to-scalar', parameters, { variables });
    expect(done.message).toBe('n=3, x=');
    const otherCase = { ...parameters, tableColumns: ['Id'] };
    const refused = await runOne(schema, 'query-to-scalar', otherCase, { variables });
    expect(refused.message).toContain('it has "ID": upper and lower case differ');
  });
});

describe('table-iterator', () => {
  const iterate = (parameters: Readonly<Record<string, unknown>>) =>
    pipeline(
      {
        Start: startThen('Each'),
        Each: { type: 'table-iterator', iterationTarget: 'Print', parameters },
        Print: {
          type: 'print-variables',
          parameters: { variablesToPrint: [['id'], ['label']], includeVariableName: 'No' },
        },
      },
      { id: variable('TEXT', '', { scope: 'COPIED' }), label: variable('TEXT', '', { scope: 'COPIED' }) },
    );
  const printed = async (parameters: Readonly<Record<string, unknown>>) => {
    const { state } = await schema.run({ 'main.orch.yaml': iterate(parameters) });
    return { state, messages: stepsOf(state, 'Print').map(({ message }) => message) };
  };
  const mapping = [
    ['id', 'id'],
    ['NAME', 'label'],
  ];

  test('has a round for each row of its query', async () => {
    const query = 'SELECT "ID", "name" FROM "orders" ORDER BY 1';
    const parameters = {
      mode: 'Advanced',
      query,
      columnMapping1: mapping,
      columnMapping: [['old', 'other']],
    };
    const { state, messages } = await printed(parameters);
    expect(messages).toEqual(['1, a', '2, ', '3, c']);
    const sql = [expect.stringContaining('SELECT')];
    expect(stepsOf(state, 'Each')[0]).toMatchObject({ rowsRead: 3, sql });
  });

  test('reads a table in the mode Basic', async () => {
    const columnMapping = [
      ['ID', 'id'],
      ['name', 'label'],
    ];
    const parameters = {
      mode: 'Basic',
      targetTable: 'orders',
      columnMapping,
      orderBy: ['ID'],
      sort: 'Descending',
    };
    expect((await printed(parameters)).messages).toEqual(['3, c', '2, ', '1, a']);
  });

  test('refuses a parameter that nothing describes', async () => {
    const { state } = await printed({ query: 'SELECT 1 AS id', columnMapping1: mapping, speed: 'fast' });
    expect(state.failed?.message).toContain('Millrace does not support the parameter speed');
  });

  test('without rows succeeds without a round', async () => {
    const query = 'SELECT "ID", "name" FROM "orders" WHERE FALSE';
    const { state, messages } = await printed({ query, columnMapping1: mapping });
    expect(state.status).toBe('SUCCESS');
    expect(messages).toEqual([]);
  });

  test('reads its rows once, before the first round', async () => {
    const testSchema = opened.schema();
    await testSchema.create('T', { N: NUMBER }, [[1], [2]]);
    const main = pipeline(
      {
        Start: startThen('Each'),
        Each: {
          type: 'table-iterator',
          iterationTarget: 'Insert',
          parameters: {
            query: 'SELECT n FROM t',
            columnMapping1: [['n', 'n']],
            concurrency: 'Sequential',
            stopOnCondition: 'No',
            recordValuesInTaskHistory: 'Yes',
          },
        },
        Insert: { type: 'sql-script', parameters: { sqlScript: 'INSERT INTO t VALUES (${n} + 10)' } },
      },
      { n: variable('NUMBER', '') },
    );
    await testSchema.run({ 'main.orch.yaml': main });
    expect(await testSchema.rows('T')).toEqual([[1], [2], [11], [12]]);
  });
});

describe('a mapping of columns to variables', () => {
  const variables = { x: variable('TEXT', 'old'), y: variable('TEXT', 'old') };
  const query = 'SELECT 1 AS a, 2 AS b';

  test.each([
    [[], 'the parameter scalarVariableMapping is not set'],
    [[['x', 'A', 'B']], 'a row of scalarVariableMapping can have at most 2 values, but this row has 3'],
    [
      [
        ['x', 'A'],
        ['x', 'B'],
      ],
      'the variable "x" is mapped twice in scalarVariableMapping',
    ],
  ])('%j, which would lose a value, is an error', async (scalarVariableMapping, message) => {
    const parameters = { mode: 'Advanced', query, scalarVariableMapping };
    const done = await runOne(schema, 'query-to-scalar', parameters, { variables });
    expect(done.message).toContain(message);
  });

  test('is needed for an iterator, in the parameter of its mode', async () => {
    const parameters = { mode: 'Advanced', query, columnMapping: [['A', 'x']] };
    const main = pipeline(
      {
        Start: startThen('It'),
        It: { type: 'table-iterator', parameters, iterationTarget: 'End' },
        End: { type: 'and' },
      },
      variables,
    );
    const { state } = await schema.run({ 'main.orch.yaml': main });
    expect(state.message).toContain('the parameter columnMapping1 is not set');
  });
});
