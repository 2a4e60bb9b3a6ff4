import { beforeAll, expect, test } from 'vitest';
import { withEdits } from '../../../../flows/mutation/faults/fault.ts';
import { reportOfMutation, withMutation } from '../../../../flows/mutation/report/report.ts';
import { findMutant, mutate, type MutationRequest } from '../../../../flows/mutation/run/mutate.ts';
import { changeableFiles, faultsOf } from '../../../../flows/mutation/run/mutants.ts';
import { isInChange } from '../../../../flows/mutation/run/changed-components.ts';
import { overlayProject } from '../../../../flows/pipeline-tests/files/overlay-project.ts';
import { testFiles } from '../../../../flows/pipeline-tests/files/find-tests.ts';
import { openTestProject, type TestProject } from '../../../../flows/pipeline-tests/files/test-project.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import type { Report } from '../../../../lib/report/report.ts';
import { type TestFolder, testFolder } from '../../../cli/tests/test-project.ts';
import { verdictOnDisk } from './verdict-on-disk.ts';

const files = {
  'large.tran.yaml': `pipeline:
  components:
    Orders: { type: table-input, parameters: { targetTable: orders, columnNames: [id, amount] } }
    Large:
      type: filter
      sources: [Orders]
      parameters:
        filterConditions: [[amount, Is, Greater than, '10']]
        combineCondition: And
    Write: { type: rewrite-table, sources: [Large], parameters: { targetTable: large } }
`,
  'large.test.yaml': `pipeline: large
tests:
  - name: keeps large orders
    given: { orders: { rows: [{ id: 1, amount: 5 }, { id: 2, amount: 50 }] } }
    expect: { tables: { large: { rows: [{ id: 2 }] } } }
`,
  'load.orch.yaml': `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Script] } }
    Script:
      type: sql-executor
      transitions: { success: [Ask], failure: [Give Up] }
      parameters: { scriptLocation: File, fileName: sql/days.sql }
    Ask:
      type: query-to-scalar
      parameters: { mode: Advanced, query: 'SELECT max("n") AS n FROM "other"', scalarVariableMapping: [[n, n]] }
    Give Up: { type: end-failure }
  variables:
    n: { metadata: { type: NUMBER, scope: SHARED, visibility: PUBLIC }, defaultValue: 0 }
`,
  'load.test.yaml': `pipeline: load
tests:
  - name: counts days
    given: { days: { columns: { d: DATE }, rows: [{ d: 2026-01-02 }, { d: 2026-01-05 }] } }
    mock: { Ask: { variables: { n: 3 } } }
    expect: { tables: { GAP: { rows: [{ N: 3 }] } } }
`,
  'sql/days.sql': `create table gap as select max("d") - min("d") as n from "days" -- the gap\nwhere "d" > '2026-01-01';\n`,
  'unused.tran.yaml': `pipeline:
  components:
    Sequence: { type: generate-sequence, parameters: { startValue: 1, incrementValue: 1, endValue: 3, outputColumn: n } }
    Write: { type: rewrite-table, sources: [Sequence], parameters: { targetTable: numbers } }
`,
};

let folder: TestFolder;
let project: TestProject;
beforeAll(() => {
  folder = testFolder(files);
  project = openTestProject(folder.directory, 'WAREHOUSE_ONE');
  return () => folder[Symbol.dispose]();
});

const context = { clock: systemClock, signal: new AbortController().signal };

function run(request: Partial<MutationRequest> = {}, clock = systemClock) {
  const common = { project, files: testFiles(project), jobs: 2, seed: 1, equal: [] };
  return mutate({ ...common, ...request }, { ...context, clock });
}

const words = ({ changes }: Awaited<ReturnType<typeof run>>) =>
  changes.map(
    ({ file, line, column, component = '', before, after, verdict }) =>
      `${file}:${line}:${column} ${component}: ${before} → ${after}: ${verdict}`,
  );

test('the tests that reach a change decide whether it is noticed', async () => {
  const report = await run();
  expect(words(report)).toEqual([
    'large.tran.yaml:8:28 Large: amount, Is, Greater than, 10 → : noticed',
    'large.tran.yaml:8:37 Large: Is → Not: noticed',
    'large.tran.yaml:8:41 Large: Greater than → Greater than or equal to: not-noticed',
    'large.tran.yaml:8:41 Large: Greater than → Less than: noticed',
    'large.tran.yaml:8:55 Large: 10 → 11: not-noticed',
    'load.orch.yaml:6:48 Script: failure: Give Up → : not-reached',
    'load.orch.yaml:10:52 Ask: max → min: not-reached',
    'sql/days.sql:1:28 load.orch.yaml#Script: max → min: noticed',
    'sql/days.sql:1:37 load.orch.yaml#Script: - → +: refused',
    'sql/days.sql:1:39 load.orch.yaml#Script: min → max: noticed',
    `sql/days.sql:2:1 load.orch.yaml#Script: where "d" > '2026-01-01' → : not-noticed`,
    'sql/days.sql:2:11 load.orch.yaml#Script: > → >=: not-noticed',
    `sql/days.sql:2:13 load.orch.yaml#Script: '2026-01-01' → '2026-01-02': noticed`,
    'unused.tran.yaml:3:68 Sequence: 1 → 2: not-reached',
    'unused.tran.yaml:3:87 Sequence: 1 → 2: not-reached',
    'unused.tran.yaml:3:100 Sequence: 3 → 4: not-reached',
  ]);
  const { noticed, notNoticed, notReached, refused, percent, tests } = report;
  expect({ noticed, notNoticed, notReached, refused, percent, tests }).toEqual({
    noticed: 6,
    notNoticed: 4,
    notReached: 5,
    refused: 1,
    percent: 60,
    tests: 2,
  });
  expect(report.changes[0]?.noticedBy).toEqual({
    file: 'large.test.yaml',
    line: 3,
    name: 'keeps large orders',
    by: 'result',
  });
});

test('each verdict is the one of all tests on an edited copy of the project on disk', async () => {
  const { changes } = await run();
  const faults = new Map(
    changeableFiles(project).flatMap((file) => faultsOf(file, project).map((fault) => [fault.id, fault])),
  );
  for (const change of changes) {
    const edits = faults.get(change.id)?.edits ?? [];
    const edited = { file: change.file, edit: (text: string) => withEdits(text, edits) };
    const { verdict, failed } = await verdictOnDisk(folder.directory, 'WAREHOUSE_ONE', edited);
    const expected = change.verdict === 'not-reached' ? 'not-noticed' : change.verdict;
    const { before, after, noticedBy } = change;
    expect([before, after, verdict]).toEqual([before, after, expected]);
    expect(failed).toEqual(noticedBy === undefined ? [] : [noticedBy.name]);
  }
});

test('a seed decides which changes are tried with a maximum, whatever the number of jobs', async () => {
  const sample = async (seed: number, jobs: number) => {
    const { changes, notTried } = await run({ seed, jobs, max: 4 });
    expect(notTried).toEqual({ byMax: 7, byBudget: 0 });
    return changes.filter(({ verdict }) => verdict !== 'not-reached').map(({ id }) => id);
  };
  const first = await sample(1, 2);
  expect(first).toHaveLength(4);
  expect(await sample(1, 1)).toEqual(first);
  expect(await sample(2, 1)).not.toEqual(first);
});

test('two processes report what one reports', async () => {
  const conditions = Array.from({ length: 20 }, (_, row) => `[amount, Is, Greater than, '${row}']`);
  const cases = Array.from(
    { length: 97 },
    (_, n) => `  - { name: case ${n}, expect: { outcome: success } }\n`,
  );
  using many = testFolder({
    ...files,
    'a-wide.tran.yaml': files['large.tran.yaml']
      .replace("[[amount, Is, Greater than, '10']]", `[${conditions.join(', ')}]`)
      .replace('targetTable: large', 'targetTable: a-wide'),
    'a-wide.test.yaml': files['large.test.yaml'].replaceAll('large', 'a-wide'),
    'many.orch.yaml': 'pipeline: { components: { Start: { type: start } } }\n',
    'many.test.yaml': `pipeline: many\ntests:\n${cases.join('')}`,
  });
  const other = openTestProject(many.directory, 'WAREHOUSE_ONE');
  const withJobs = (jobs: number) => run({ project: other, files: testFiles(other), jobs, isOnlyRead: true });
  const [one, two] = [await withJobs(1), await withJobs(2)];
  // So many tests and so many changes need two processes.
  expect([one.tests, one.changes.length - one.notReached]).toEqual([100, 112]);
  expect(two).toEqual(one);
});

test('no change is tried after the budget is used up, and the rest is counted', async () => {
  let time = 0;
  const clock = { ...systemClock, now: () => (time += 1) };
  // The budget ends after some changes: each test asks for the time twice.
  const { noticed, notNoticed, refused, notTried } = await run({ jobs: 1, budgetMs: 20 }, clock);
  expect(notTried.byBudget).toBeGreaterThan(0);
  expect(noticed + notNoticed + refused).toBeGreaterThan(0);
  expect(noticed + notNoticed + refused + notTried.byBudget).toBe(11);
});

test('a change that is marked as equal is not tried, and a mark without a change is reported', async () => {
  const { changes } = await run({ changed: ['large.tran.yaml'] });
  const change = changes.find(({ after }) => after === 'Greater than or equal to')?.id ?? '';
  const mark = { file: 'large.tran.yaml', change, reason: 'no order is exactly 10' };
  const other = { file: 'gone.tran.yaml', change: '000000', reason: 'it was so' };
  const report = await run({ changed: ['large.tran.yaml'], equal: [mark, other] });
  expect(report.changes.find(({ id }) => id === change)).toMatchObject({
    verdict: 'equal',
    reason: 'no order is exactly 10',
  });
  expect([report.equal, report.percent]).toEqual([1, 75]);
  expect(report.unusedMarks).toEqual([other]);
});

test('a test that fails without a change notices nothing, and is reported', async () => {
  const failing = files['large.test.yaml'].replace('{ id: 2 }', '{ id: 3 }');
  const broken = overlayProject(project, {
    contents: new Map([['large.test.yaml', Buffer.from(failing)]]),
  });
  const report = await run({ project: broken, changed: ['large.tran.yaml'] });
  expect(report.failed.map(({ name }) => name)).toEqual(['keeps large orders']);
  expect([report.noticed, report.notReached, report.percent]).toEqual([0, 5, null]);
});

test('of a part of the tests, only the files that they read are changed', async () => {
  const report = await run({ files: ['large.test.yaml'], isOnlyRead: true });
  expect(new Set(report.changes.map(({ file }) => file))).toEqual(new Set(['large.tran.yaml']));
});

test('of chosen files, only the tests run that may reach them', async () => {
  for (const file of ['large.tran.yaml', 'load.orch.yaml', 'sql/days.sql'])
    expect((await run({ changed: [file] })).tests).toBe(1);
  expect((await run({ changed: ['unused.tran.yaml'] })).tests).toBe(0);
});

test('a change that is found by the beginning of its id has its project and its tests', async () => {
  const [fault] = faultsOf('large.tran.yaml', project);
  const request = { project, files: testFiles(project), jobs: 1 };
  const mutant = await findMutant((fault?.id ?? '').slice(0, 5), request, context);
  expect(mutant?.fault).toEqual(fault);
  expect(mutant?.project.text('large.tran.yaml')).toContain('filterConditions: []');
  expect(mutant?.tests.map(({ planned }) => planned.test.name)).toEqual(['keeps large orders']);
  expect(await findMutant('', request, context)).toBeUndefined();
});

test.each<[what: string, file: keyof typeof files, before: (text: string) => string, chosen: unknown[]]>([
  ['a value', 'large.tran.yaml', (text) => text.replace("'10'", "'12'"), ['Large']],
  ['quotes', 'large.tran.yaml', (text) => text.replace("'10'", '"10"'), []],
  ['the form of SQL', 'sql/days.sql', (text) => text.replace('select max', 'SELECT  max'), []],
  ['SQL', 'sql/days.sql', (text) => text.replace('max', 'min'), [undefined]],
  ['a variable that a component sets', 'load.orch.yaml', (text) => text.replace('e: 0', 'e: 1'), ['Ask']],
  ['a transition', 'load.orch.yaml', (text) => text.replace('success: [Ask], ', ''), ['Script']],
  ['a pipeline that was wrong', 'large.tran.yaml', () => 'pipeline: 1\n', ['Large']],
])('a component belongs to a change if it means something else: %s', (_, file, before, chosen) => {
  const old = overlayProject(project, { contents: new Map([[file, Buffer.from(before(files[file]))]]) });
  const changed = new Map([[file as string, 'changed' as const]]);
  const isChosen = isInChange({ project: old, changed, renamed: new Map() }, project);
  const faults = changeableFiles(project).flatMap((path) => faultsOf(path, project));
  expect([...new Set(faults.filter(isChosen).map(({ component }) => component))]).toEqual(chosen);
});

test('the report of tests has the score, the first changes that no test notices, and how many more there are', async () => {
  const mutation = await run({ changed: ['large.tran.yaml'] });
  const open = mutation.changes.find(({ verdict }) => verdict === 'not-noticed');
  if (open === undefined) throw new Error('no change');
  const many = Array.from({ length: 23 }, (_, line) => ({ ...open, line: line + 1 }));
  const tests: Report = {
    title: 'Test',
    outcome: 'passed',
    headline: '2 tests.',
    facts: [],
    findings: [],
    notes: [],
  };
  const options = { prefix: 'etl/', threshold: 12 };
  const report = withMutation(
    tests,
    { ...mutation, changes: many, noticed: 3, notNoticed: 23, percent: 11 },
    options,
  );
  expect(report.outcome).toBe('failed');
  expect(report.headline).toBe(
    '2 tests. 3 of 26 planted changes noticed (11 %), below the threshold of 12 %.',
  );
  expect(report.findings.map(({ file, line }) => `${file}:${line}`)).toEqual(
    Array.from({ length: 20 }, (_, line) => `etl/large.tran.yaml:${line + 1}`),
  );
  expect(report.notes[0]).toMatch(/^3 further planted changes that no test notices:/);
  expect(report.notes[1]).toContain('millrace test --add-row ID');
});

const none = { byMax: 0, byBudget: 0 };
test.each([
  [
    { notTried: { byMax: 0, byBudget: 5 } },
    'failed',
    'No change was tried, so the threshold of 80 % is not reached.',
  ],
  [{ refused: 2 }, 'failed', 'The engine refused each change, so the threshold of 80 % is not reached.'],
  [{ notReached: 3 }, 'passed', 'No change was tried.'],
  [{}, 'passed', 'No change was tried.'],
])('with a threshold, and nothing measured: %o is %s', async (counts, outcome, headline) => {
  const measured = { ...(await run({ max: 0 })), noticed: 0, notNoticed: 0, percent: null };
  const nothing = {
    ...measured,
    notReached: 0,
    refused: 0,
    notTried: none,
    changes: [],
    failed: [],
    ...counts,
  };
  expect(reportOfMutation(nothing, { threshold: 80 })).toMatchObject({ outcome, headline });
});

test('a transition that is not taken is noticed where an `and` waits for it', async () => {
  using joined = testFolder({
    'join.orch.yaml': `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Ask, Work] } }
    Ask:
      type: if
      transitions: { 'true': [Both], 'false': [Other] }
      parameters: { mode: Simple, condition: [[n, Is, Equal to, '1']] }
    Work: { type: print-variables, transitions: { success: [Both] }, parameters: { variablesToPrint: [[n]] } }
    Both: { type: and, transitions: { unconditional: [Last] } }
    Last: { type: print-variables, parameters: { variablesToPrint: [[n]] } }
    Other: { type: print-variables, parameters: { variablesToPrint: [[n]] } }
  variables:
    n: { metadata: { type: NUMBER, scope: SHARED, visibility: PUBLIC }, defaultValue: 0 }
`,
    'join.test.yaml': 'pipeline: join\ntests: [{ name: waits, expect: { ran: [Other], not-ran: [Last] } }]\n',
  });
  const other = openTestProject(joined.directory, 'WAREHOUSE_ONE');
  const report = await run({ project: other, files: testFiles(other) });
  const found = report.changes.find(({ before }) => before === 'true: Both');
  expect(found).toMatchObject({ verdict: 'noticed', noticedBy: { name: 'waits' } });
});
