import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadPipeline, type TestFolder, testFolder } from './test-project.ts';

const build = `pipeline:
  components:
    Ask: { type: cortex-sentiment }
    Write: { type: rewrite-table, sources: [Ask], parameters: { targetTable: orders } }
`;

let folder: TestFolder;
beforeAll(() => {
  folder = testFolder({ 'daily/load.orch.yaml': loadPipeline, 'daily/build-orders.tran.yaml': build });
});
afterAll(() => folder[Symbol.dispose]());

/** A test whose line 5 is the mock. */
const load = (mock: string, rest = 'expect: { ran: [Load Files] }') =>
  `pipeline: daily/load\ntests:\n  - name: loads\n    mock:\n      ${mock}\n    ${rest}\n`;

describe('a wrong mock is an error of the test file, at its place', () => {
  test.each([
    [
      'rows without a target table, also where the pipeline handles it',
      '{ Load Files: { outcome: failure }, Notify Failure: { rows: [{ id: 1 }] } }',
      '5:61: the mock of "Notify Failure": the mock has `rows`, but the component has no target table; use `tables` instead',
    ],
    [
      'a value of a wrong type',
      '{ Load Files: { rows: [{ id: 1 }, { id: 1.5 }] } }',
      '5:47: the mock of "Load Files": row 2: "1.5" has more decimal places than NUMBER(38,0)',
    ],
    [
      'a column in another case',
      '{ Load Files: { tables: { staging_orders: { rows: [{ ID: 1 }] } } } }',
      '5:64: the mock of "Load Files": the table "TEST"."PUBLIC"."staging_orders" has no column "ID"; it has "id": upper and lower case differ',
    ],
    [
      'a variable that is not declared',
      '{ Load Files: { variables: { rows_lorded: 1 } } }',
      '5:36: the pipeline daily/load.orch.yaml has no variable "rows_lorded"; did you mean "rows_loaded"?',
    ],
    [
      'a text for a number',
      '{ Load Files: { variables: { rows_loaded: x } } }',
      '5:49: the variable "rows_loaded" is a number and cannot be "x"',
    ],
    [
      'rows and a failure',
      '{ Load Files: { outcome: failure, rows: [{ id: 1 }] } }',
      '5:41: `rows` has no effect with `outcome: failure`',
    ],
    [
      'a message without a failure',
      '{ Load Files: { message: hello } }',
      '5:23: `message` needs `outcome: failure`',
    ],
    [
      'an output in an orchestration',
      '{ Load Files: { output: { rows: [{ id: 1 }] } } }',
      '5:23: `output` is for components of transformations: use `tables` or `rows`',
    ],
    [
      'an if without its answer',
      '{ Any Orders: {} }',
      '5:9: the mock of an `if` needs its answer: `condition: true` or `condition: false`',
    ],
    [
      'an answer for another component',
      '{ Load Files: { condition: true } }',
      '5:23: `condition` is for an `if`',
    ],
    [
      'an output with a value of a wrong type',
      '{ daily/build-orders#Ask: { output: { columns: { id: NUMBER }, rows: [{ id: x }] } } }',
      '5:83: row 1: "x" is not a NUMBER(38,0)',
    ],
  ])('%s', async (_, mock, expected) => {
    const given = 'given: { staging_orders: { columns: { id: NUMBER } } }\n    expect: { ran: [Load Files] }';
    folder.write('daily/load.test.yaml', load(mock, given));
    const { code, stderr } = await folder.run();
    expect(stderr).toContain(`error: daily/load.test.yaml:${expected}`);
    expect(code).toBe(2);
  });
});

test('a refusal after a failure comes with the failure', async () => {
  folder.write('daily/load.test.yaml', load('{ Load Files: {} }', 'expect: { ran: [Load Files] }'));
  const path = loadPipeline.replace('{ success: [Count Orders] }', '{ failure: [Notify Failure] }');
  folder.write('daily/load.orch.yaml', path.replace('daily/build-orders', 'daily/build-order'));
  const [{ status, differences } = { status: '', differences: [] }] = (await folder.report()).tests;
  folder.write('daily/load.orch.yaml', loadPipeline);
  expect(status).toBe('refused');
  expect(differences.map(({ kind, component }) => [kind, component])).toEqual([
    ['outcome', 'Build Orders'],
    ['refused', 'Notify Failure'],
  ]);
  expect(differences[0]?.message).toMatch(
    /^before the refusal, component "Build Orders" of daily\/load\.orch\.yaml: .*daily\/build-order/,
  );
});

test('an `if` has the answer of its mock', async () => {
  using own = testFolder({ 'daily/load.orch.yaml': loadPipeline, 'daily/build-orders.tran.yaml': build });
  const mocks = '{ Load Files: {}, Build Orders: {}, Count Orders: {}, Any Orders: { condition: true } }';
  const expected = 'expect: { variables: { rows_loaded: 0 }, ran: [Done], not-ran: [No Orders] }';
  own.write('daily/load.test.yaml', load(mocks, expected));
  expect(await own.report('--coverage')).toMatchObject({ passed: 1, refused: 0 });
});

test('all components that need a mock are shown at once, also those after the first and in called pipelines', async () => {
  using own = testFolder({
    'a.orch.yaml': `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Load] } }
    Load: { type: s3-load, parameters: { targetTable: raw }, transitions: { success: [Build], failure: [Note] } }
    Build: { type: run-transformation, parameters: { transformationJob: build }, transitions: { success: [Post] } }
    Post: { type: webhook-post }
    Note: { type: send-email }
`,
    'build.tran.yaml': `pipeline:
  components:
    Rows: { type: generate-sequence, parameters: { startValue: 1, incrementValue: 1, endValue: 2, outputColumn: n } }
    Ask: { type: cortex-sentiment, sources: [Rows], parameters: { columns: [n] } }
    Again: { type: cortex-sentiment, sources: [Ask], parameters: { columns: [n] } }
    Other: { type: cortex-sentiment, sources: [Rows], parameters: { columns: [n] } }
`,
    'a.test.yaml': 'pipeline: a\ntests:\n  - name: runs\n    expect: { ran: [Post] }\n',
  });
  const { stdout } = await own.run();
  expect(stdout.match(/^ *mock:$/gm)).toHaveLength(1);
  expect(stdout).toContain('\n        Post: {}\n');
  const { tests } = await own.report();
  const shown = tests[0]?.differences.map(({ kind, file, component }) => `${kind} ${file} ${component}`);
  expect(shown).toEqual([
    'refused a.orch.yaml Load',
    'refused a.orch.yaml Note',
    'refused build.tran.yaml Ask',
    'refused build.tran.yaml Other',
    'refused a.orch.yaml Post',
  ]);
});

test('the rows of a mock need no types where the table has them, and a column may be misspelled', async () => {
  const types = 'columns: { id: NUMBER, note: VARIANT }';
  const rows = (cells: string) =>
    load(
      `{ Load Files: { tables: { raw: { rows: ${cells} } } }, Build Orders: {}, Count Orders: { variables: { rows_loaded: 1 } } }`,
      `given: { raw: { ${types} } }\n    expect: { tables: { raw: { count: 2 } } }`,
    );
  folder.write('daily/load.test.yaml', rows('[{ id: 1, note: a }, { id: 2, note: 5 }]'));
  expect(await folder.report()).toMatchObject({ passed: 1 });
  folder.write('daily/load.test.yaml', rows('[{ id: 1, nte: a }]'));
  expect((await folder.run()).stderr).toContain('has no column "nte"; did you mean "note"?');
});
