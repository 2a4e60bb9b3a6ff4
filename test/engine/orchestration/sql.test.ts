import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pipeline, startThen, stepsOf, variable } from '../execution/execute.ts';
import { NUMBER, openTestWarehouse } from '../execution/on-warehouse.ts';
import { runOne } from './run-one.ts';

let opened: Awaited<ReturnType<typeof openTestWarehouse>>;
beforeAll(async () => {
  opened = await openTestWarehouse();
});
afterAll(() => opened[Symbol.asyncDispose]());

describe('SQL of an orchestration', () => {
  test('runs its statements in order, and the step shows rows and SQL', async () => {
    const schema = opened.schema();
    const sqlScript =
      'CREATE TABLE orders (id NUMBER, name VARCHAR);\nINSERT INTO orders VALUES (1, $$a$$), (2, NULL)';
    const { state, step } = await runOne(schema, 'sql-executor', { scriptLocation: 'Component', sqlScript });

    expect(state.message).toBe('2 components ran.');
    expect(step).toMatchObject({ message: '2 statements ran, 2 rows changed.', rowsWritten: 2 });
    expect(step?.sql).toHaveLength(2);
    expect(await schema.rows('ORDERS')).toEqual([
      [1, 'a'],
      [2, null],
    ]);
  });

  test('keeps what ran before a statement that fails, and names its line', async () => {
    const schema = opened.schema();
    const sqlScript =
      'CREATE TABLE t (n NUMBER);\nINSERT INTO t VALUES (1);\nINSERT INTO t SELECT 1 / 0;\nDROP TABLE t';
    const main = `pipeline:\n  components:\n    Start: { type: start, transitions: { success: [It] } }\n    It:\n      type: sql-script\n      parameters:\n        sqlScript: |\n${sqlScript.replaceAll(/^/gm, '          ')}\n`;
    const { state } = await schema.run({ 'main.orch.yaml': main });

    expect(state.failed).toMatchObject({ component: 'It', pipeline: 'main.orch.yaml' });
    expect(state.failed?.message).toMatch(/^main\.orch\.yaml:10:11: .*[Dd]ivision by zero/);
    expect(await schema.rows('T')).toEqual([[1]]);
  });

  test('counts the rows that INSERT ALL writes, and leaves no table of its own', async () => {
    const schema = opened.schema();
    const sqlScript =
      'CREATE TABLE a (n NUMBER); CREATE TABLE b (n NUMBER); INSERT ALL INTO a INTO b SELECT column1 AS n FROM (VALUES (1), (2))';
    const { step } = await runOne(schema, 'sql-script', { sqlScript });
    expect(step).toMatchObject({ message: '3 statements ran, 4 rows changed.', rowsWritten: 4 });
    expect(schema.warehouse.catalog.all().filter(({ table }) => /millrace/i.test(table))).toEqual([]);
  });

  test('counts the rows of CREATE TABLE AS, also where its columns have limits', async () => {
    const schema = opened.schema();
    const sqlScript =
      "CREATE TABLE a AS SELECT 1 AS n FROM TABLE(GENERATOR(ROWCOUNT => 1000)); CREATE TABLE b AS SELECT 'x'::VARCHAR(1) AS v FROM a; CREATE TABLE c (n NUMBER); CREATE VIEW d AS SELECT n FROM a";
    const { step } = await runOne(schema, 'sql-script', { sqlScript });
    expect(step).toMatchObject({ message: '4 statements ran, 2000 rows changed.', rowsWritten: 2000 });
  });

  test('computes the rows of a query, so that its errors show', async () => {
    const { message } = await runOne(opened.schema(), 'sql-script', { sqlScript: 'SELECT 1 / 0' });
    expect(message).toMatch(/[Dd]ivision by zero/);
  });

  test('says which statements have no effect here', async () => {
    const sqlScript = 'USE ROLE admin; GRANT SELECT ON TABLE t TO ROLE r; USE ROLE other';
    const { message } = await runOne(opened.schema(), 'sql-script', { sqlScript });
    expect(message).toBe(
      '3 statements ran, 0 rows changed. USE ROLE has no effect in Millrace. GRANT has no effect in Millrace.',
    );
  });

  test('applies USE to the rest of the script only', async () => {
    const schema = opened.schema();
    const main = pipeline({
      Start: startThen('First'),
      First: {
        type: 'sql-script',
        parameters: { sqlScript: 'CREATE SCHEMA other; USE SCHEMA other; CREATE TABLE t AS SELECT 1 AS n' },
        transitions: { success: ['Second'] },
      },
      Second: { type: 'sql-script', parameters: { sqlScript: 'CREATE TABLE t AS SELECT 2 AS n' } },
    });
    await schema.run({ 'main.orch.yaml': main });
    expect(schema.warehouse.catalog.find({ database: 'DB', schema: 'OTHER', table: 'T' })).toBeDefined();
    expect(await schema.rows('T')).toEqual([[2]]);
  });

  test('replaces variables, and evaluates expressions', async () => {
    const schema = opened.schema();
    const variables = {
      name: variable('TEXT', 'orders'),
      keys: variable('GRID', [['a'], ['b']], { columns: ['key'] }),
    };
    const sqlScript = 'CREATE TABLE ${name} AS SELECT ${keys.key.length + 1} AS n';
    await runOne(schema, 'sql-executor', { sqlScript }, { variables });
    expect(await schema.rows('ORDERS')).toEqual([[3]]);
  });

  test('reads a file of the version, with its variables and its lines', async () => {
    const schema = opened.schema();
    const parameters = { scriptLocation: 'File', fileName: './sql/init.sql', sqlScript: 'SELECT nonsense' };
    const variables = { name: variable('TEXT', 'orders') };
    const files = { 'sql/init.sql': 'CREATE TABLE ${name} AS\nSELECT 1 AS n;\nSELECT x FROM ${name}' };
    const { message } = await runOne(schema, 'sql-executor', parameters, { variables, files });
    expect(message).toMatch(/^sql\/init\.sql:3:8: /);
    expect(await schema.rows('ORDERS')).toEqual([[1]]);
    const marked = { files: { 'sql/init.sql': '\u{feff}SELECT nothing FROM orders' } };
    const { message: first } = await runOne(schema, 'sql-executor', parameters, marked);
    expect(first).toMatch(/^sql\/init\.sql:1:8: /);

    const missing = await runOne(schema, 'sql-executor', parameters, { variables });
    expect(missing.message).toMatch(/the file "\.\/sql\/init\.sql" was not found in the project$/);
    const outside = { ...parameters, fileName: '../secret.sql' };
    const refused = await runOne(schema, 'sql-executor', outside, {
      files: { '../secret.sql': 'SELECT 1' },
    });
    expect(refused.message).toContain('was not found');
  });

  test('leaves variables as they are where the resolution is off, and then refuses them', async () => {
    const parameters = { sqlScript: 'SELECT ${name}', enableVariableResolution: 'No' };
    const variables = { name: variable('TEXT', '1') };
    const { state } = await runOne(opened.schema(), 'sql-executor', parameters, { variables });
    expect(state.status).toBe('FAILED');
  });

  test.each([
    ['a variable of the session', 'SELECT $name', { declareSqlVariables: 'Include all' }],
    ['COPY INTO', 'COPY INTO t FROM @stage', {}],
  ])('refuses %s with its place', async (_, sqlScript, more) => {
    const { state } = await runOne(opened.schema(), 'sql-executor', { sqlScript, ...more });
    expect(state.failed?.refusal?.place).toMatchObject({ file: 'main.orch.yaml', line: 1 });
  });

  test('refuses a parameter that nothing describes, and SQL that is not there', async () => {
    const unknown = await runOne(opened.schema(), 'sql-script', { sqlScript: 'SELECT 1', mode: 'fast' });
    expect(unknown.message).toContain('Millrace does not support the parameter mode');
    const empty = await runOne(opened.schema(), 'sql-script', { sqlScript: '-- nothing' });
    expect(empty.message).toContain('the component has no SQL to run');
  });

  test('reads the clock at the start of each component', async () => {
    const schema = opened.schema();
    await runOne(schema, 'sql-script', {
      sqlScript: 'CREATE TABLE t AS SELECT CURRENT_TIMESTAMP()::TIMESTAMP_NTZ AS at',
    });
    expect(await schema.rows('T')).toEqual([['2031-01-01 12:00:00']]);
  });

  test('of concurrent rounds runs statement by statement, and every row arrives', async () => {
    const schema = opened.schema();
    await schema.create('T', { N: NUMBER }, []);
    const main = pipeline(
      {
        Start: startThen('Each'),
        Each: {
          type: 'loop-iterator',
          iterationTarget: 'Insert',
          parameters: {
            variableToIterate: 'n',
            startingValue: '1',
            endValue: '20',
            concurrency: 'Concurrent',
          },
        },
        Insert: {
          type: 'sql-script',
          parameters: {
            sqlScript: 'CREATE TABLE t${n} AS SELECT ${n} AS n; INSERT INTO t SELECT n FROM t${n}',
          },
        },
      },
      { n: variable('NUMBER', '0', { scope: 'COPIED' }) },
    );
    const { state } = await schema.run({ 'main.orch.yaml': main });
    expect(state.status).toBe('SUCCESS');
    expect(await schema.rows('T')).toHaveLength(20);
    expect(stepsOf(state, 'Insert')).toHaveLength(20);
  });
});
