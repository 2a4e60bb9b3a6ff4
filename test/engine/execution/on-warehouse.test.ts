import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pipeline, startThen, stepsOf, trail, variable } from './execute.ts';
import { NUMBER, openTestWarehouse, TEXT } from './on-warehouse.ts';

let opened: Awaited<ReturnType<typeof openTestWarehouse>>;
beforeAll(async () => {
  opened = await openTestWarehouse();
});
afterAll(() => opened[Symbol.asyncDispose]());

const read = { type: 'table-input', parameters: { targetTable: 'orders', columnNames: ['id'] }, sources: [] };
const write = (targetTable: string, source: string) => ({
  type: 'rewrite-table',
  parameters: { targetTable },
  sources: [source],
});
const filter = (condition: readonly string[], source: string) => ({
  type: 'filter',
  parameters: { filterConditions: [condition], combineCondition: 'And' },
  sources: [source],
});

describe('a transformation', () => {
  test('that an orchestration calls writes its tables, and its steps show rows and SQL', async () => {
    const schema = opened.schema();
    await schema.create('orders', { id: NUMBER }, [[1], [2]]);
    const { state } = await schema.run({
      'main.orch.yaml': pipeline({
        Start: startThen('Build'),
        Build: {
          type: 'run-transformation',
          parameters: { transformationJob: 'build', setScalarVariables: [['least', '2']] },
        },
      }),
      'build.tran.yaml': pipeline(
        {
          Read: read,
          Filter: filter(['id', 'Is', 'Greater than or equal to', '${least}'], 'Read'),
          Write: write('result', 'Filter'),
        },
        { least: variable('NUMBER', '1') },
      ),
    });
    expect(state.message).toBe('5 components ran.');
    expect(await schema.rows('result')).toEqual([[2]]);
    expect(stepsOf(state, 'Read')[0]).toMatchObject({ message: '1 column.', notices: [], rowsRead: 2 });
    expect(stepsOf(state, 'Build')[0]).toMatchObject({ rowsRead: 2, rowsWritten: 1 });
    expect(stepsOf(state, 'Write')[0]).toMatchObject({
      message: '1 row written to "result".',
      rowsWritten: 1,
      parent: stepsOf(state, 'Build')[0]?.number,
    });
    expect(stepsOf(state, 'Write')[0]?.sql?.join()).toContain('CREATE OR REPLACE TABLE');
  });

  test('has the table that it wrote in its step, also if its SQL is too long to keep', async () => {
    const schema = opened.schema();
    await schema.create('orders', { id: NUMBER }, [[1], [2]]);
    const long = {
      type: 'calculator',
      parameters: { includeInputColumns: 'Yes', calculations: [[`'${'x'.repeat(9000)}'`, 'text']] },
      sources: ['Read'],
    };
    const { state } = await schema.run({
      'main.orch.yaml': pipeline({
        Start: startThen('Build'),
        Build: { type: 'run-transformation', parameters: { transformationJob: 'build' } },
      }),
      'build.tran.yaml': pipeline({
        Read: read,
        Long: long,
        Write: write('result', 'Long'),
      }),
    });
    const [step] = stepsOf(state, 'Write');
    expect(step?.sql?.at(-1)).toMatch(/^… and \d+ more$/);
    expect(step?.changed).toEqual([expect.stringMatching(/"result"$/)]);
  });

  test('says how many rows its components read from tables, and leaves out views and rows of the file', async () => {
    const schema = opened.schema();
    await schema.create('orders', { id: NUMBER }, [[1], [2], [3]]);
    await schema.create('orders_old', { id: NUMBER }, [[4]]);
    const { database, schema: schemaName } = schema.engine.defaults;
    await schema.warehouse.run(
      `CREATE VIEW "${database}.${schemaName}"."big" AS SELECT * FROM "${database}.${schemaName}"."orders"`,
    );
    await schema.warehouse.refresh();
    const all = {
      patternType: 'Like',
      pattern: 'orders%',
      castTypes: 'No',
      addSourceTable: 'No',
      columns: ['id'],
    };
    const { state } = await schema.run({
      'main.tran.yaml': pipeline({
        Read: read,
        All: { type: 'multi-table-input', parameters: all, sources: [] },
        View: { ...read, parameters: { targetTable: 'big', columnNames: ['id'] } },
        Fixed: { type: 'fixed-flow', parameters: { columns: [['id', 'NUMBER', '', '']], values: [['1']] } },
        Unite: { type: 'unite', parameters: {}, sources: ['Read', 'All', 'View', 'Fixed'] },
        Write: write('result', 'Unite'),
      }),
    });
    const reads = ['Read', 'All', 'View', 'Fixed', 'Write'].map((name) => stepsOf(state, name)[0]?.rowsRead);
    expect(reads).toEqual([3, 4, undefined, undefined, undefined]);
  });

  test('has the rows of all its writers after its call', async () => {
    const schema = opened.schema();
    await schema.create('orders', { id: NUMBER }, [[1], [2]]);
    const { state } = await schema.run({
      'main.orch.yaml': pipeline({
        Start: startThen('Build'),
        Build: {
          type: 'run-transformation',
          parameters: { transformationJob: 'build' },
          postProcessing: { updateOutputMessage: '${sysvar.thisComponent.rowCount} rows' },
        },
      }),
      'build.tran.yaml': pipeline({ Read: read, A: write('a', 'Read'), B: write('b', 'Read') }),
    });
    expect(stepsOf(state, 'Build')[0]).toMatchObject({ message: '4 rows', rowsWritten: 4 });
  });

  test('that fails names the component at fault, whose step fails too', async () => {
    const schema = opened.schema();
    await schema.create('orders', { id: NUMBER }, [[0]]);
    const { state } = await schema.run({
      'main.orch.yaml': pipeline({
        Start: startThen('Build'),
        Build: {
          type: 'run-transformation',
          parameters: { transformationJob: 'build' },
          transitions: { failure: ['End'] },
        },
        End: { type: 'end-failure' },
      }),
      'build.tran.yaml': pipeline({
        Read: read,
        Divide: filter(['id', 'Is', 'Equal to', '1 / "id"'], 'Read'),
        Write: write('result', 'Divide'),
      }),
    });
    expect(trail(state)).toEqual([
      'Start',
      'Build: FAILED',
      'Read',
      'Divide: FAILED',
      'Write: FAILED',
      'End: FAILED',
    ]);
    expect(state.failed).toMatchObject({ pipeline: 'build.tran.yaml', component: 'Divide' });
    expect(state.failed?.message).toMatch(/[Dd]ivision by zero/);
    expect(stepsOf(state, 'Divide')[0]?.message).toBe(state.failed?.message);
    expect(stepsOf(state, 'Write')[0]?.message).toMatch(/^"Divide" failed: /);
    expect(schema.has('result')).toBe(false);
  });

  test('that the request names runs by itself, and an error has its place in the file', async () => {
    const schema = opened.schema();
    await schema.create('orders', { ID: NUMBER }, []);
    const { state } = await schema.run({
      'main.tran.yaml': pipeline({ Read: read, Write: write('r', 'Read') }),
    });
    expect(trail(state)).toEqual(['Read: FAILED']);
    expect(state.failed?.message).toMatch(/^main\.tran\.yaml:1:\d+: the column "id" was not found/);
  });

  test('with a component that the engine does not know is refused', async () => {
    const { state } = await opened
      .schema()
      .run({ 'main.tran.yaml': pipeline({ Read: { type: 'unheard-of' } }) });
    expect(state.failed?.refusal).toMatchObject({
      construct: 'the component type unheard-of',
      hint: 'mock the component:\nmock:\n  Read: {}',
    });
  });
});

describe('a pipeline on a warehouse', () => {
  test('passes texts and grids to a called pipeline, as rows or as columns of its own grid', async () => {
    const schema = opened.schema();
    const child = (name: string) => ({
      type: 'run-orchestration',
      parameters: {
        orchestrationJob: 'child',
        setGridVariables: [
          {
            variable: 'columns',
            status: 'grid',
            gridValues: { fromGrid: { variable: 'metadata', columns: ['name', 'type'] } },
          },
          { variable: 'keys', status: 'values', gridValues: [[name], ['b']] },
        ],
      },
    });
    const files = {
      'main.orch.yaml': pipeline(
        { Start: startThen('Call'), Call: child('${key}') },
        {
          key: variable('TEXT', 'a'),
          metadata: variable('GRID', [['7', 'id', 'NUMBER']], { columns: ['n', 'name', 'type'] }),
        },
      ),
      'child.orch.yaml': pipeline(
        {
          Start: startThen('Create'),
          Create: {
            type: 'create-table',
            parameters: {
              newTableName: 't${keys.key.length}${keys.key[0]}',
              createReplace: 'Create',
              columns: { fromGrid: { variable: 'columns', columns: ['column', 'kind'] } },
            },
          },
        },
        {
          columns: variable('GRID', [], { columns: ['column', 'kind'] }),
          keys: variable('GRID', [], { columns: ['key'] }),
        },
      ),
    };
    expect((await schema.run(files)).state.status).toBe('SUCCESS');
    expect(schema.columns('t2a')).toEqual([{ name: 'id', type: NUMBER }]);
  });

  test.each([
    [
      'an unknown status',
      { variable: 'keys', status: 'other', gridValues: [] },
      'the status "other" of a grid',
    ],
    [
      'a status that its values contradict',
      { variable: 'keys', status: 'grid', gridValues: [['a']] },
      'is grid',
    ],
    [
      'no variable',
      { status: 'values', gridValues: [] },
      'Component "Call" of pipeline "main.orch.yaml" failed: main.orch.yaml:1:206: an item of setGridVariables has no `variable`: add the name of the grid variable to set. 2 components ran.',
    ],
    [
      'a grid that is not there',
      { variable: 'lost', status: 'values', gridValues: [] },
      'no variable "lost"',
    ],
  ])('fails to pass a grid with %s', async (_, entry, message) => {
    const { state } = await opened.schema().run({
      'main.orch.yaml': pipeline({
        Start: startThen('Call'),
        Call: {
          type: 'run-orchestration',
          parameters: { orchestrationJob: 'child', setGridVariables: [entry] },
        },
      }),
      'child.orch.yaml': pipeline({ Start: startThen() }, { keys: variable('GRID', []) }),
    });
    expect(state.message).toContain(message);
  });

  test('sets variables and the message after a component', async () => {
    const schema = opened.schema();
    await schema.create('T', { N: NUMBER, X: TEXT }, []);
    const insert = {
      type: 'sql-script',
      parameters: { sqlScript: "INSERT INTO t VALUES (1, 'a'), (2, 'b')" },
      postProcessing: {
        updateOutputMessage: '${sysvar.thisComponent.rowCount} rows in ${sysvar.environment.name}',
        updateScalarVariables: [['count', '${sysvar.thisComponent.rowCount + 1}']],
        updateGridVariables: null,
      },
      transitions: { success: ['Call'] },
    };
    const call = {
      type: 'run-orchestration',
      parameters: { orchestrationJob: 'child' },
      postProcessing: { updateScalarVariables: [['found', '${sysvar.childPipeline.vars.result}']] },
    };
    const done = await schema.run({
      'main.orch.yaml': pipeline(
        { Start: startThen('Insert'), Insert: insert, Call: call },
        { count: variable('NUMBER', '0'), found: variable('TEXT', '') },
      ),
      'child.orch.yaml': pipeline(
        {
          Start: startThen('Set'),
          Set: { type: 'update-scalar', parameters: { scalarsToUpdate: [['result', 'of the child']] } },
        },
        { result: variable('TEXT', '') },
      ),
    });
    expect(stepsOf(done.state, 'Insert')[0]?.message).toBe('2 rows in test');
    expect(done.variable('count')).toBe('3');
    expect(done.variable('found')).toBe('of the child');
  });

  test.each([
    [
      'another system variable',
      { updateOutputMessage: '${sysvar.other.x}' },
      'there is project, environment',
    ],
    ['a grid', { updateGridVariables: [['g', 'x']] }, '`updateGridVariables` after a component'],
    ['a variable that is not there', { updateScalarVariables: [['lost', '1']] }, '"lost" is not defined'],
  ])('fails where what follows a component names %s', async (_, postProcessing, message) => {
    const { state } = await opened.schema().run({
      'main.orch.yaml': pipeline({
        Start: startThen('Run'),
        Run: { type: 'sql-script', parameters: { sqlScript: 'SELECT 1' }, postProcessing },
      }),
    });
    expect(state.failed?.message).toContain(message);
  });

  test('fails where an `if` cannot be evaluated, or a value cannot be computed', async () => {
    const condition = { mode: 'Advanced', condition1: 'max(1)' };
    const refused = await opened.schema().run({
      'main.orch.yaml': pipeline({ Start: startThen('If'), If: { type: 'if', parameters: condition } }),
    });
    expect(refused.state.failed?.refusal?.construct).toContain('max');
    const set = { type: 'update-scalar', parameters: { scalarsToUpdate: [['x', '${x.unknownMethod()}']] } };
    const kept = await opened.schema().run({
      'main.orch.yaml': pipeline({ Start: startThen('Set'), Set: set }, { x: variable('TEXT', 'a') }),
    });
    expect(kept.state.failed?.component).toBe('Set');
  });
});

describe('a forced termination', () => {
  const endless =
    'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) AS n FROM r';
  const files = {
    'main.orch.yaml': pipeline({
      Start: startThen('Insert'),
      Insert: {
        type: 'sql-script',
        parameters: { sqlScript: `CREATE TABLE t AS SELECT 1 AS n; INSERT INTO t ${endless}; DROP TABLE t` },
        transitions: { failure: ['After'], success: ['After'] },
      },
      After: { type: 'sql-script', parameters: { sqlScript: 'SELECT 1' } },
    }),
  };

  test('ends the running statement, and other executions of the warehouse continue', async () => {
    const schema = opened.schema();
    const started = Promise.withResolvers<void>();
    const execution = schema.start(files, {
      onChange: ({ steps }) => {
        if (steps.at(-1)?.component === 'Insert') started.resolve();
      },
    });
    await started.promise;
    const other = opened.schema();
    const second = other.run({
      'main.orch.yaml': pipeline({
        Start: startThen('Run'),
        Run: { type: 'sql-script', parameters: { sqlScript: 'CREATE TABLE t AS SELECT 5 AS n' } },
      }),
    });
    execution.terminate(true);
    const state = await execution.ended;
    expect(state).toMatchObject({ status: 'CANCELLED', message: 'Terminated on request. 2 components ran.' });
    expect(trail(state)).toEqual(['Start', 'Insert: CANCELLED']);
    expect((await second).state.status).toBe('SUCCESS');
    expect(await other.rows('T')).toEqual([[5]]);
  });

  test('is not a success where the owner of the warehouse stops it', async () => {
    const schema = opened.schema();
    const execution = schema.start(files, {
      onChange: ({ steps }) => {
        if (steps.at(-1)?.component === 'Insert') schema.warehouse.stop();
      },
    });
    const state = await execution.ended;
    schema.warehouse.resume();
    expect(state).toMatchObject({ status: 'FAILED' });
    expect(state.message).toContain('The warehouse was stopped.');
  });

  test('of an execution that waits for the statement of another one ends it at once', async () => {
    const first = opened.schema().start(files);
    const second = opened.schema().start(files);
    second.terminate(true);
    expect((await second.ended).status).toBe('CANCELLED');
    first.terminate(true);
    expect((await first.ended).status).toBe('CANCELLED');
  });
});

test('a transition or source that names no component fails the pipeline, with its place', async () => {
  const schema = opened.schema();
  const orchestration = pipeline({
    Start: startThen('Done', 'Dine'),
    Done: { type: 'end-success' },
  });
  const { state } = await schema.run({ 'main.orch.yaml': orchestration });
  expect(state).toMatchObject({ status: 'FAILED', steps: [] });
  expect(state.message).toMatch(
    /^Pipeline "main\.orch\.yaml" cannot run: main\.orch\.yaml:\d+:\d+: The .*transition.* of "Start" names "Dine", which does not exist\. Did you mean "Done"\?/,
  );
  const called = await schema.run({
    'main.orch.yaml': pipeline({
      Start: startThen('Build'),
      Build: { type: 'run-transformation', parameters: { transformationJob: 'build' } },
    }),
    'build.tran.yaml': pipeline({ Read: read, Write: write('result', 'Red') }),
  });
  expect(called.state.failed).toMatchObject({
    component: 'Build',
    message: expect.stringMatching(/build\.tran\.yaml:\d+:\d+: A source of "Write" names "Red"/),
  });
});

describe('a value that the warehouse may take, although the engine does not', () => {
  test.each([
    [
      'select x::date d from raw',
      '01/31/2024',
      "the date text '01/31/2024'",
      'write YYYY-MM-DD or give a format',
    ],
    [
      "select to_number(x, '999') n from raw",
      '1,00',
      "the number text '1,00' in the format '999'",
      undefined,
    ],
    [
      'select parse_json(x):a::date d from raw',
      '{"a":1704412800}',
      'a number in semi-structured data as a date or timestamp',
      'if it is the time since 1970, convert it with TO_TIMESTAMP(value::NUMBER)',
    ],
    [
      "select array_to_string(parse_json(x), '') a from raw",
      '[null]',
      'ARRAY_TO_STRING of a JSON null',
      undefined,
    ],
  ])('is a refusal of %s, not a failure of the pipeline', async (query, value, construct, hint) => {
    const schema = opened.schema();
    await schema.create('RAW', { X: TEXT }, [[value]]);
    const parameters = { sqlScript: `create table made as ${query}` };
    const files = {
      'main.orch.yaml': pipeline({ Start: startThen('Make'), Make: { type: 'sql-executor', parameters } }),
    };
    const { state } = await schema.run(files);
    expect(state.failed).toMatchObject({ component: 'Make', refusal: { construct, hint } });
  });

  test('an error of the warehouse does not count as a refusal, whatever its text says', async () => {
    const schema = opened.schema();
    await schema.create('RAW', { X: TEXT }, [['Millrace does not support this']]);
    const parameters = { sqlScript: 'create table made as select x::date d from raw' };
    const files = {
      'main.orch.yaml': pipeline({ Start: startThen('Make'), Make: { type: 'sql-executor', parameters } }),
    };
    const { state } = await schema.run(files);
    expect(state.failed?.message).toContain("the text 'Millrace does not support this' is not a date");
    expect(state.failed?.refusal).toBeUndefined();
  });
});
