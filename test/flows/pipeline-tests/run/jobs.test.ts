import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  exactNumber,
  jsonNullCell,
  sqlNullItem,
} from '../../../../flows/pipeline-tests/compare/exact-number.ts';
import type { Shown, TestResult } from '../../../../flows/pipeline-tests/compare/test-result.ts';
import type { PlannedTest } from '../../../../flows/pipeline-tests/files/planned-test.ts';
import { writeRecipe } from '../../../../flows/pipeline-tests/files/reopen-project.ts';
import { openTestProject } from '../../../../flows/pipeline-tests/files/test-project.ts';
import { overlayProject } from '../../../../flows/pipeline-tests/files/overlay-project.ts';
import { countProcesses, sharedPython } from '../../../../flows/pipeline-tests/run/count-processes.ts';
import { jobsOf } from '../../../../flows/pipeline-tests/run/default-jobs.ts';
import { decodeResult, encodeResult } from '../../../../flows/pipeline-tests/run/encode-result.ts';
import type { JobAnswer, JobSetting } from '../../../../flows/pipeline-tests/run/job-messages.ts';
import { runInProcess } from '../../../../flows/pipeline-tests/run/run-in-process.ts';
import { planFile } from '../../../../flows/pipeline-tests/run/plan-file.ts';
import { openJob } from '../../../../flows/pipeline-tests/run/serve-job.ts';
import { openQueue } from '../../../../flows/pipeline-tests/run/test-queue.ts';
import { testFolder } from '../../../cli/tests/test-project.ts';

const pipeline = 'pipeline: { components: { Start: { type: start } } }\n';
const testsOf = (...names: readonly string[]) =>
  `pipeline: empty\ntests:\n${names.map((name) => `  - { name: ${name}, expect: { outcome: success } }\n`).join('')}`;

/** A project with a test file, and its tests. */
async function projectOf(...names: readonly string[]) {
  const folder = testFolder({ 'empty.orch.yaml': pipeline, 'empty.test.yaml': testsOf(...names) });
  const project = openTestProject(folder.directory, 'WAREHOUSE_ONE');
  const planned = await planFile('empty.test.yaml', project, {});
  if (project.recipe === undefined) throw new Error('no recipe');
  const setting: JobSetting = {
    project: writeRecipe(project.recipe),
    atOnce: 1,
    withCoverage: false,
    withTraces: false,
  };
  return { folder, project, planned, setting };
}

test('a result is the same after it was sent as JSON', () => {
  const shown: readonly Shown[] = [
    null,
    '',
    'undefined',
    0,
    -0,
    1.5,
    true,
    exactNumber('12345678901234567890'),
    sqlNullItem,
    jsonNullCell,
    [1, sqlNullItem, ['exact', { list: [] }]],
    { exactNumber: '5', special: 'null', nested: { exact: exactNumber('NaN') } },
    JSON.parse('{ "__proto__": { "object": [] } }') as Shown,
  ];
  const place = { file: 'a.test.yaml', line: 1, column: 2 };
  const differences = shown.map((value) => ({
    ...place,
    kind: 'changed-row' as const,
    message: 'differs',
    actual: value,
    expected: value,
    at: place,
  }));
  const result: TestResult = {
    ...place,
    name: 'a',
    pipeline: 'a',
    status: 'failed',
    durationMs: 1,
    differences,
  };
  const sent = decodeResult(JSON.parse(JSON.stringify(encodeResult(result))) as never);
  expect(JSON.stringify(sent.differences)).toBe(JSON.stringify(differences));
  expect(sent.differences.map(({ actual }) => actual)).toEqual(shown);
  expect([Object.is(sent.differences[4]?.actual, -0), sent.differences[8]?.actual === sqlNullItem]).toEqual([
    true,
    true,
  ]);
});

test.for([
  { tests: 99, jobs: 8, processes: 1 },
  { tests: 100, jobs: 8, processes: 2 },
  { tests: 1000, jobs: 8, processes: 8 },
  { tests: 1000, jobs: 1, processes: 1 },
  { tests: 1000, jobs: 8, python: true, processes: 4 },
  { tests: 1000, jobs: 8, inspects: true, processes: 1 },
  { tests: 1000, jobs: 8, isOther: true, processes: 1 },
])('$tests tests with $jobs jobs take $processes processes', async (row) => {
  const { folder, project } = await projectOf('a');
  using _ = folder;
  const atBase = overlayProject(project, { contents: new Map(), settings: project });
  const needs = {
    jobs: row.jobs,
    project: row.isOther === true ? atBase : project,
    inspect: row.inspects === true ? () => {} : undefined,
  };
  const python = row.python === true ? { environment: {} } : undefined;
  expect(countProcesses(row.tests, needs, { python })).toBe(row.processes);
});

test('scripts of Python and memory are shared by all jobs', () => {
  expect([1, 2, 3, 4].map((count) => sharedPython({ environment: {} }, count)?.limits)).toEqual(
    [4, 2, 1, 1].map((scripts) => ({ scripts })),
  );
  const gibibyte = 1024 ** 3;
  expect(
    [gibibyte / 2, 3.5 * gibibyte, 64 * gibibyte].map((memory) => jobsOf({ processors: 8, memory })),
  ).toEqual([1, 3, 8]);
});

test('a queue gives every test once, in units of one file', () => {
  for (const processes of [1, 2, 5]) {
    const files = [0, 1, 2, 3, 4, 5].map((file) => ({ file: `${file}` }));
    const planned = Array.from(
      { length: 137 },
      (_, index) => ({ file: files[Math.floor(index / 25)], test: { name: `${index}` } }) as PlannedTest,
    );
    const queue = openQueue(planned, processes);
    const taken: PlannedTest[] = [];
    for (let unit = queue.takeUnit(); unit.length > 0; unit = queue.takeUnit()) {
      expect(new Set(unit.map(({ file }) => file)).size).toBe(1);
      expect(unit.length).toBeLessThanOrEqual(10);
      const single = queue.take();
      taken.push(...unit, ...(single === undefined ? [] : [single]));
    }
    expect(new Set(taken)).toEqual(new Set(planned));
    expect(taken).toHaveLength(137);
  }
});

test('a test that was removed from its file while tests ran has a problem, and so has a trial with it', async () => {
  const { folder, setting } = await projectOf('a', 'b');
  using _ = folder;
  folder.write('empty.test.yaml', testsOf('a'));
  const answers: JobAnswer[] = [];
  const tests = [
    { id: 1, name: 'a' },
    { id: 2, name: 'b' },
  ];
  const named = tests.map(({ name }) => ({ name, file: 'empty.test.yaml' }));
  const changed = [['empty.orch.yaml', pipeline.replace('start', 'end-failure')]] as const;
  // These come when the process has nothing left to do.
  const orderMore = () => {
    job.order({ kind: 'run', unit: { file: 'empty.test.yaml', tests } });
    job.order({ kind: 'try', trial: { id: 4, changed, tests: named } });
    job.order({ kind: 'end' });
  };
  const job = openJob((answer) => {
    answers.push(answer);
    if (answer.kind === 'ended' && answer.ended.id === 3) setImmediate(orderMore);
  });
  job.order({ kind: 'open', setting });
  job.order({ kind: 'try', trial: { id: 3, changed, tests: named.slice(0, 1) } });
  await job.ended;
  const message =
    'the file was changed while its tests ran, and no longer has the test "b": run the tests again';
  expect(answers).toMatchObject([
    { kind: 'ready' },
    { kind: 'ended', ended: { id: 3, trial: { verdict: 'failed', test: 0, by: 'failure' } } },
    { kind: 'ended', ended: { id: 1, result: { name: 'a', status: 'passed' } } },
    { kind: 'ended', ended: { id: 2, problems: [{ file: 'empty.test.yaml', line: 1, column: 1, message }] } },
    { kind: 'ready' },
    { kind: 'ended', ended: { id: 4, problems: [{ message }] } },
  ]);
});

test('a process that ends before its tests is a failure that names them', async () => {
  const { folder, planned, setting } = await projectOf('a');
  using _ = folder;
  folder.write('dies.mjs', 'process.exit(7);\n');
  const { signal } = new AbortController();
  const entry = `${folder.directory}/dies.mjs`;
  const running = runInProcess(openQueue(planned, 2), { setting, signal, entry, onEnded: () => {} });
  await expect(running).rejects.toMatchObject({
    code: 'job-failed',
    message: 'A process that runs tests ended with code 7, before these tests of empty.test.yaml ended: "a".',
    where: { file: 'empty.test.yaml', line: 3 },
  });
});

test('a cancel ends the process, and rejects with its reason', async () => {
  const { folder, planned, setting } = await projectOf('a');
  using _ = folder;
  const silent = "process.on('message', () => {}); process.on('disconnect', () => process.exit());\n";
  folder.write('silent.mjs', silent);
  const cancel = new AbortController();
  const entry = `${folder.directory}/silent.mjs`;
  const running = runInProcess(openQueue(planned, 2), {
    setting,
    signal: cancel.signal,
    entry,
    onEnded: () => {},
  });
  await setTimeout(0);
  cancel.abort(new Error('Ctrl-C'));
  await expect(running).rejects.toThrow('Ctrl-C');
});
