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
      '5:61: the mock of "Notify Failure": the mock has `rows`, but the component has no target table: use `tables`',
    ],
    [
      'a value of a wrong type',
      '{ Load Files: { rows: [{ id: 1 }, { id: 1.5 }] } }',
      '5:47: the mock of "Load Files": row 2: "1.5" has more decimal places than NUMBER(38,0)',
    ],
    [
      'a column in another case',
      '{ Load Files: { tables: { staging_orders: { rows: [{ ID: 1 }] } } } }',
      '5:64: the mock of "Load Files": the table "TEST"."PUBLIC"."staging_orders" has no column "ID"; it has "id": the case differs',
    ],
    [
      'a variable that is not declared',
      '{ Load Files: { variables: { rows_lorded: 1 } } }',
      '5:36: the pipeline daily/load.orch.yaml has no variable "rows_lorded"; did you mean "rows_loaded"?',
    ],
    [
      'a text for a number',
      '{ Load Files: { variables: { rows_loaded: x } } }',
      '5:49: the variable "rows_loaded" is a number',
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
    ['an if', '{ Any Orders: {} }', '5:9: an `if` cannot be mocked: set its variables'],
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
