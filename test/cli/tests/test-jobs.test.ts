import { expect, test } from 'vitest';
import { linesOf } from '../../../cli/tests/report-tests.ts';
import { testFiles } from '../../../flows/pipeline-tests/files/find-tests.ts';
import { openTestProject } from '../../../flows/pipeline-tests/files/test-project.ts';
import { runTests } from '../../../flows/pipeline-tests/run/run-tests.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { copyPipeline, loadPipeline, testFolder } from './test-project.ts';

const emptyPipeline = `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Maybe] } }
    Maybe:
      type: if
      transitions: { "true": [Done], "false": [Failed] }
      parameters: { mode: Simple, condition: [[n, Is, Less than, "3"]], combineConditions: And }
    Done: { type: end-success }
    Failed: { type: end-failure }
  variables:
    n: { metadata: { type: NUMBER, scope: SHARED, visibility: PUBLIC }, defaultValue: 0 }
`;
const many = Array.from(
  { length: 110 },
  (_, number) =>
    `  - { name: case ${number}, variables: { n: ${number % 5} }, expect: { outcome: success } }\n`,
).join('');

/** Passing and failing tests, a refusal, a test without its mock, wrong fixtures, a wrong file, and a pipeline without tests. */
export const mixedProject = {
  'many.orch.yaml': emptyPipeline,
  'many.test.yaml': `pipeline: many\ntests:\n${many}`,
  'daily/build-orders.tran.yaml': copyPipeline,
  'daily/load.orch.yaml': loadPipeline,
  'daily/load.test.yaml': 'pipeline: daily/load\ntests: [{ name: no mock, expect: { outcome: success } }]\n',
  'daily/numbers.test.yaml': `pipeline: daily/build-orders
tests:
  - name: exact numbers
    given:
      staging_orders:
        columns: { id: NUMBER, day: DATE, amount: 'NUMBER(38,10)', note: VARIANT }
        rows:
          - { id: 12345678901234567890123, amount: 0.1000000001, note: { exactNumber: '5', list: [1, null] } }
          - { id: 2 }
    expect:
      tables:
        orders: { rows: [{ id: 12345678901234567890124, note: { exactNumber: '6' } }, { id: 2, note: [null] }] }
  - name: wrong fixture
    given: { staging_orders: { columns: { id: NUMBER }, rows: [{ id: x }] } }
    expect: { outcome: success }
`,
  'daily/wrong.test.yaml': 'pipeline: daily/build-orders\ntests: [{ name: wrong, expects: {} }]\n',
  'refused.tran.yaml': copyPipeline.replace('type: rewrite-table', 'type: rewrite-lake'),
  'refused.test.yaml': `pipeline: refused
tests: [{ name: refused, given: { staging_orders: { rows: [{ id: 1 }] } }, expect: { tables: { orders: { count: 1 } } } }]
`,
  'alone.tran.yaml': copyPipeline,
};

test('two jobs report what one job reports, in every format', async () => {
  using folder = testFolder(mixedProject);
  const reportWith = async (jobs: number) => {
    const project = openTestProject(folder.directory, 'WAREHOUSE_ONE');
    const request = { project, files: testFiles(project), jobs, withCoverage: true };
    const context = { clock: systemClock, signal: new AbortController().signal };
    const report = await runTests(request, context);
    return { ...report, tests: report.tests.map((result) => ({ ...result, durationMs: 1 })) };
  };
  const one = await reportWith(1);
  const two = await reportWith(2);
  expect([one.passed, one.failed, one.refused, one.problems?.length]).toEqual([66, 46, 1, 2]);
  for (const format of ['json', 'junit', 'markdown', 'text'] as const)
    expect(await linesOf(two, { format })).toEqual(await linesOf(one, { format }));
});

test('what another process read counts for the cache', async () => {
  using folder = testFolder(mixedProject);
  using cache = testFolder();
  const statuses = async () => {
    const project = openTestProject(folder.directory, 'WAREHOUSE_ONE');
    const { tests } = await runTests(
      {
        project,
        files: testFiles(project),
        jobs: 2,
        withCoverage: false,
        cache: {
          folder: cache.directory,
          program: 'one',
          now: 0,
          onFailure: (error) => expect.fail(String(error)),
        },
      },
      { clock: systemClock, signal: new AbortController().signal },
    );
    const of = (wanted: boolean) =>
      tests.filter(({ isCached = false, status }) => isCached === wanted && status === 'passed').length;
    return { cached: of(true), ran: of(false), failed: tests.length - of(true) - of(false) };
  };
  expect(await statuses()).toEqual({ cached: 0, ran: 66, failed: 47 });
  expect(await statuses()).toEqual({ cached: 66, ran: 0, failed: 47 });
  folder.write('many.orch.yaml', `# changed\n${emptyPipeline}`);
  expect(await statuses()).toEqual({ cached: 0, ran: 66, failed: 47 });
});
