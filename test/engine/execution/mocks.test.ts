import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pipeline, startThen, stepsOf, trail, variable } from './execute.ts';
import { NUMBER, openTestWarehouse, TEXT } from './on-warehouse.ts';

let opened: Awaited<ReturnType<typeof openTestWarehouse>>;
beforeAll(async () => {
  opened = await openTestWarehouse();
});
afterAll(() => opened[Symbol.asyncDispose]());

const single = (type: string, parameters: Readonly<Record<string, unknown>> = {}, variables = {}) => ({
  'main.orch.yaml': pipeline({ Start: startThen('It'), It: { type, parameters } }, variables),
});

describe('a mock', () => {
  test('adds rows to tables, creates missing ones, sets variables, and the message says so', async () => {
    const schema = opened.schema();
    await schema.create('known', { id: NUMBER, note: TEXT }, [[1, 'a']]);
    const variables = { count: variable('NUMBER', '0'), keys: variable('GRID', [], { columns: ['key'] }) };
    const It = {
      tables: new Map([
        ['known', { rows: [{ note: 'b', id: 2 }, { id: 3 }] }],
        [
          'other.new',
          {
            rows: [
              { id: 1, price: 1.25 },
              { id: 2, price: 3 },
            ],
          },
        ],
      ]),
      variables: new Map<string, string | string[][]>([
        ['count', '5'],
        ['keys', [['a']]],
      ]),
    };
    const done = await schema.run(single('s3-load', {}, variables), { mocks: { It } });
    expect(done.state.message).toBe('2 components ran, 1 mocked.');
    expect(stepsOf(done.state, 'It')[0]).toMatchObject({ message: 'Mocked: 4 rows added.', rowsWritten: 4 });
    expect(await schema.rows('known')).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, null],
    ]);
    const created = schema.warehouse.catalog.find({ database: 'DB', schema: 'other', table: 'new' });
    expect(created?.columns).toEqual([
      { name: 'id', type: NUMBER },
      { name: 'price', type: { name: 'NUMBER', precision: 38, scale: 2 } },
    ]);
    expect(done.variable('count')).toBe('5');
    expect(done.variable('keys')).toEqual([['a']]);
  });

  test('with `rows` fills the target table of the component, whatever key names it', async () => {
    const schema = opened.schema();
    const api = {
      outputId: 'warehouse-one',
      'warehouse-one': { schema: '', tableName: 'raw', createTableMode: 'APPEND' },
    };
    const rows = [{ DATA_VALUE: { id: 1 } }];
    await schema.run(single('modular-api-extract-input-v2', api), { mocks: { It: { rows } } });
    expect(await schema.rows('raw')).toEqual([[{ id: 1 }]]);
    const ai = { destination: { 'warehouse-one': { table: 'answers' } } };
    await schema.run(single('openai-ai-prompt', ai), { mocks: { It: { rows: [{ id: 1 }] } } });
    expect(await schema.rows('answers')).toEqual([[1]]);
    const without = await schema.run(single('send-email'), { mocks: { It: { rows: [{ id: 1 }] } } });
    expect(without.state.failed?.message).toContain('the component has no target table');
  });

  test.each([
    [
      'a table whose name differs in case',
      { KNOWN: { rows: [{ id: 1 }] } },
      'differ only in upper and lower case',
    ],
    ['a column that is not there', { known: { rows: [{ ID: 1 }] } }, 'no column "ID"; it has "id"'],
    ['a further column', { known: { rows: [{ id: 1 }, { id: 2.5, x: 1 }] } }, 'no column "x"'],
    ['a text for a number', { known: { rows: [{ id: 'many' }] } }, 'row 1: "many" is not a NUMBER(38,0)'],
  ])('with %s fails, and adds nothing', async (_, tables, message) => {
    const schema = opened.schema();
    await schema.create('known', { id: NUMBER }, []);
    const It = { tables: new Map(Object.entries(tables)) };
    const done = await schema.run(single('s3-load'), { mocks: { It } });
    expect(done.state.failed?.message).toContain(message);
    expect(done.state.failed?.mockFault).toMatchObject({ part: 'tables', name: Object.keys(tables)[0] });
    expect(await schema.rows('known')).toEqual([]);
  });

  test('replaces a component that can run, and can fail it', async () => {
    const schema = opened.schema();
    const files = single('sql-script', { sqlScript: 'CREATE TABLE t AS SELECT 1 AS n' });
    expect((await schema.run(files, { mocks: { It: {} } })).state.status).toBe('SUCCESS');
    expect(schema.has('T')).toBe(false);
    const failing = { outcome: 'failure' as const, message: 'no connection' };
    const done = await schema.run(files, { mocks: { It: failing } });
    expect(done.state.failed).toMatchObject({ component: 'It', message: 'no connection' });
  });

  test('of a component of a called pipeline has the path in its name, with or without suffix', async () => {
    const schema = opened.schema();
    const call = { type: 'run-orchestration', parameters: { orchestrationJob: 'jobs/child' } };
    const files = {
      'main.orch.yaml': pipeline({ Start: startThen('Call'), Call: call }),
      'jobs/child.orch.yaml': pipeline({ Start: startThen('It'), It: { type: 'send-email' } }),
    };
    for (const key of ['jobs/child#It', 'jobs/child.orch.yaml#It']) {
      expect((await schema.run(files, { mocks: { [key]: {} } })).state.status).toBe('SUCCESS');
    }
    const { state } = await schema.run(files, { mocks: { It: {} } });
    expect(state.failed).toMatchObject({ component: 'It', pipeline: 'jobs/child.orch.yaml' });
    expect(state.failed?.message).toContain('mock:\n  "jobs/child#It": {}');
  });

  test('gives an iterator its rounds, by variable or by what is mapped to it', async () => {
    const schema = opened.schema();
    const files = {
      'main.orch.yaml': pipeline(
        {
          Start: startThen('Each'),
          Each: {
            type: 'file-iterator',
            iterationTarget: 'Print',
            parameters: {
              variables: [
                ['file', 'Filename'],
                ['folder', 'Subfolder'],
              ],
              maxIterations: '2',
            },
          },
          Print: { type: 'print-variables', parameters: { variablesToPrint: [['folder'], ['file']] } },
        },
        { file: variable('TEXT', ''), folder: variable('TEXT', '') },
      ),
    };
    const rows = [
      { Filename: 'a.csv', folder: 'x' },
      { Filename: 'b.csv', folder: 'y' },
      { Filename: 'c.csv', folder: 'z' },
    ];
    const { state } = await schema.run(files, { mocks: { Each: { rows } } });
    expect(stepsOf(state, 'Print').map(({ message }) => message)).toEqual([
      'folder=x, file=a.csv',
      'folder=y, file=b.csv',
    ]);
    const missing = await schema.run(files);
    expect(missing.state.failed?.message).toContain(
      '  Each:\n    rows:\n      - { file: text, folder: text }',
    );
  });
});

test('a mocked notice shows what it would have sent, and nothing else', async () => {
  const parameters = { subject: 'Hello ${name}', message: '${lost}', smtpPassword: 'secret' };
  const files = single('send-email', parameters, { name: variable('TEXT', 'you') });
  const { state } = await opened.schema().run(files, { mocks: { It: {} } });
  expect(state.status).toBe('SUCCESS');
  expect(stepsOf(state, 'It')[0]?.notices).toEqual([
    'subject: Hello you',
    expect.stringMatching(/^message: .*the variable "lost" is not defined$/),
  ]);
});

describe('a component that talks to the outside and has no mock fails with the lines to add', () => {
  test.each([
    [
      'salesforce-query',
      { targetTable: 'accounts', dataSelection: ['Id', 'Name'], password: 'secret' },
      '  It:\n    tables:\n      accounts:\n        columns: { Id: VARCHAR, Name: VARCHAR }\n        rows:\n          - { Id: text, Name: text }',
    ],
    [
      's3-load',
      { targetTable: 'orders', loadColumns: null },
      "  It:\n    tables:\n      orders:\n        rows:\n          - { id: 1, day: '2026-01-02' }",
    ],
    [
      'modular-api-extract-input-v2',
      { outputId: 'out', out: { database: 'OTHER', schema: 'PUBLIC', tableName: 'raw data' } },
      '  It:\n    tables:\n      OTHER.PUBLIC.raw data:\n        columns: { DATA_VALUE: VARIANT }\n        rows:\n          - { DATA_VALUE: {} }',
    ],
    [
      'python-pushdown',
      { pythonScript: 'context.updateVariable(\'rows_found\', 1)\ncontext.updateGridVariable("g", [])' },
      '  It:\n    variables: { rows_found: text, g: text }',
    ],
    ['send-email', { recipients: 'a@b', smtpPassword: 'secret' }, '  It: {}'],
    ['unheard-of', {}, '  It: {}'],
    ['run-shared-pipeline', { pipelineName: 'a#b' }, '  It: {}'],
  ])('%s', async (type, parameters, lines) => {
    const schema = opened.schema();
    const allow = type === 'python-pushdown' ? 'allow Python with --allow-python, or ' : '';
    await schema.create('orders', { id: NUMBER, day: { name: 'DATE' } }, []);
    const { state } = await schema.run(single(type, parameters));
    expect(state.status).toBe('FAILED');
    expect(state.failed?.message).toBe(
      `main.orch.yaml:1:108: Millrace does not support the component type ${type}; ${allow}mock the component:\nmock:\n${lines}`,
    );
    expect(state.failed?.refusal?.construct).toBe(`the component type ${type}`);
    expect(JSON.stringify(state)).not.toContain('secret');
  });
});

describe('a mock in a transformation', () => {
  const files = {
    'main.tran.yaml': pipeline({
      Read: { type: 'table-input', parameters: { targetTable: 'orders', columnNames: ['id'] }, sources: [] },
      Ask: { type: 'cortex-sentiment', parameters: { columns: ['id'] }, sources: ['Read'] },
      Write: { type: 'rewrite-table', parameters: { targetTable: 'result' }, sources: ['Ask'] },
    }),
  };

  test('gives a component its whole output', async () => {
    const schema = opened.schema();
    await schema.create('orders', { id: NUMBER }, [[1]]);
    const rows = [{ id: 1, label: "it's" }, { id: 2 }, { id: null, label: 'x' }];
    const { state } = await schema.run(files, { mocks: { Ask: { output: { rows } } } });
    expect(trail(state)).toEqual(['Read', 'Ask', 'Write']);
    expect(state.message).toContain('1 mocked');
    expect(await schema.rows('result')).toEqual([
      [1, "it's"],
      [2, null],
      [null, 'x'],
    ]);
  });

  test('fails the component if its output has a value of another type', async () => {
    const schema = opened.schema();
    const output = { columns: [{ name: 'id', type: NUMBER }], rows: [{ id: 1 }, { id: 1.5 }] };
    const { state } = await schema.run(files, { mocks: { Ask: { output } } });
    expect(state.failed).toMatchObject({
      component: 'Ask',
      message: 'row 2: "1.5" has more decimal places than NUMBER(38,0), in column "id"',
      mockFault: { part: 'output', row: 2, column: 'id' },
    });
  });

  test('may have no rows, where it names its columns', async () => {
    const schema = opened.schema();
    await schema.create('orders', { id: NUMBER }, []);
    const output = { columns: [{ name: 'day', type: { name: 'DATE' } as const }], rows: [] };
    await schema.run(files, { mocks: { Ask: { output } } });
    expect(schema.columns('result')).toEqual(output.columns);
    expect(await schema.rows('result')).toEqual([]);
  });

  test('can replace a writer, or fail a component', async () => {
    const schema = opened.schema();
    await schema.create('orders', { id: NUMBER }, [[1]]);
    const output = { rows: [{ id: 1 }] };
    await schema.run(files, { mocks: { Ask: { output }, Write: { rows: [{ id: 7 }] } } });
    expect(await schema.rows('result')).toEqual([[7]]);
    const failing = { Ask: { outcome: 'failure' as const, message: 'no answer' } };
    expect((await schema.run(files, { mocks: failing })).state.failed).toMatchObject({
      component: 'Ask',
      message: 'no answer',
    });
  });

  test('is asked for where a component of the transformation cannot run', async () => {
    const schema = opened.schema();
    await schema.create('orders', { id: NUMBER }, []);
    const { state } = await schema.run(files);
    expect(state.failed).toMatchObject({ component: 'Ask' });
    expect(state.failed?.message).toBe(
      [
        'main.tran.yaml:1:146: Millrace does not support the component type cortex-sentiment; mock the component:',
        'mock:',
        '  Ask:',
        '    output:',
        '      columns: { id: "NUMBER(38,0)", sentiment_id: FLOAT }',
        '      rows:',
        '        - { id: 1, sentiment_id: 1 }',
      ].join('\n'),
    );
  });
});
