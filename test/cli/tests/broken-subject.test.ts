import { beforeAll, expect, test } from 'vitest';
import { differenceKinds } from '../../../flows/pipeline-tests/compare/test-result.ts';
import type { TestReport } from '../../../flows/pipeline-tests/run/test-report.ts';
import { testFolder } from './test-project.ts';

const pipeline = `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Fill] } }
    Fill:
      type: sql-script
      transitions: { success: [Count], failure: [Repair] }
      parameters:
        sqlScript: "create table orders as select column1 as id, column2 as note from (values (1, 'a'), (2, 'b'))"
    Count:
      type: query-to-scalar
      transitions: { success: [Done] }
      parameters:
        mode: Advanced
        query: 'select count(*) as n from orders'
        scalarVariableMapping: [[loaded, n]]
    Repair: { type: end-failure }
    Done: { type: end-success }
  variables:
    loaded: { metadata: { type: NUMBER, scope: SHARED, visibility: PUBLIC }, defaultValue: 0 }
`;

const testOf = (name: string) => `pipeline: ${name}
tests:
  - name: fills the orders
    expect:
      tables:
        ORDERS: { count: 2, ordered: true, rows: [{ ID: 1, NOTE: a }, { ID: 2, NOTE: b }] }
        REJECTED: absent
      variables: { loaded: 2 }
      ran: [Count, Done]
      not-ran: [Repair]
`;

/** What is broken in the pipeline, while its test stays as it is, and the differences that the test then has. */
const broken: readonly (readonly [name: string, from: string, to: string, kinds: readonly string[]])[] = [
  ['a row is lost', ", (2, 'b')", '', ['missing-row', 'count', 'variable']],
  ['a row too many', ", (2, 'b')", ", (2, 'b'), (3, 'c')", ['extra-row', 'count', 'variable']],
  ['a wrong value', "'b'", "'c'", ['changed-row']],
  ['another order', "(1, 'a'), (2, 'b')", "(2, 'b'), (1, 'a')", ['changed-row', 'changed-row']],
  ['a column is lost', ', column2 as note', '', ['missing-column']],
  [
    'another table',
    'create table orders',
    'create table rejected as select 1 as a; create table others',
    ['outcome', 'missing-table', 'present-table', 'variable', 'ran'],
  ],
  ['a variable is not set', '[[loaded, n]]', '[]', ['outcome', 'variable', 'ran']],
  ['a transition is lost', '{ success: [Done] }', '{}', ['ran']],
  ['a transition too many', '{ success: [Done] }', '{ success: [Done, Repair] }', ['outcome', 'not-ran']],
  [
    'the script fails',
    "select column1 as id, column2 as note from (values (1, 'a'), (2, 'b'))",
    'select 1 / 0 as id',
    ['outcome', 'missing-table', 'variable', 'ran', 'ran', 'not-ran'],
  ],
  ['a construct that the engine does not know', 'select column1', 'select xml(column1)', ['refused']],
  [
    'a query without an end',
    "select column1 as id, column2 as note from (values (1, 'a'), (2, 'b'))",
    'with recursive r as (select 1 as i union all select i from r) select count(*) as n from r',
    ['timeout'],
  ],
];

let report: TestReport;

beforeAll(async () => {
  const files = new Map([
    ['whole.orch.yaml', pipeline],
    ['whole.test.yaml', testOf('whole')],
  ]);
  for (const [index, [, from, to, kinds]] of broken.entries()) {
    files.set(`broken${index}.orch.yaml`, pipeline.replace(from, to));
    // Only a query without an end reaches its time limit, however slow the machine is.
    const limit = kinds.includes('timeout') ? 'timeout: 1s\n    expect:' : 'expect:';
    files.set(`broken${index}.test.yaml`, testOf(`broken${index}`).replace('expect:', limit));
  }
  using folder = testFolder(Object.fromEntries(files));
  report = await folder.report();
});

const kindsOf = (pipelineFile: string) =>
  report.tests.find((each) => each.pipeline === pipelineFile)?.differences.map(({ kind }) => kind);

test('a pipeline that does what its test expects passes', () => {
  expect(kindsOf('whole.orch.yaml')).toEqual([]);
});

test.each(broken.map(([name, , , kinds], index) => [name, index, kinds] as const))(
  'a test fails when its pipeline is broken: %s',
  (_, index, kinds) => {
    expect(kindsOf(`broken${index}.orch.yaml`)).toEqual(kinds);
  },
);

test('each kind of difference is found by one of these tests', () => {
  expect(new Set(broken.flatMap(([, , , kinds]) => kinds))).toEqual(new Set(differenceKinds));
});
