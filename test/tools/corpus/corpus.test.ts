import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { corpusLines, corpusReport, type CorpusReport } from '../../../tools/corpus/corpus-report.ts';
import { findProjects } from '../../../tools/corpus/find-projects.ts';
import { withoutNames } from '../../../tools/corpus/reasons.ts';
import { runProject } from '../../../tools/corpus/run-project.ts';

const folder = path.join(import.meta.dirname, 'projects');
const main = path.resolve(import.meta.dirname, '../../../tools/corpus/main.ts');
const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [main, ...args], {
    cwd: import.meta.dirname,
    env: { ...process.env, INIT_CWD: import.meta.dirname },
    encoding: 'utf8',
  });

/** The files of a folder with their content. */
function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(path.join(directory, name)).isFile())
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(path.join(directory, name)))
          .digest('hex')}`,
    );
}

test('counts what the pipelines of each project do, groups the reasons, and changes no file', () => {
  const before = filesIn(folder);
  const { status, stdout, stderr } = run('projects', '--json');
  expect({ status, stderr }).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('orders (project 2 of 2): refresh.orch.yaml (3 of 4)\n') as string,
  });
  const report = JSON.parse(stdout) as CorpusReport;
  expect(report.projects).toMatchObject([
    { project: 'broken', pipelines: 1, outcomes: { none: 1 }, tests: { passed: 0 } },
    {
      project: 'orders',
      pipelines: 4,
      outcomes: { success: 1, 'success-with-replaced': 1, 'has-test': 1, 'left-out': 1, none: 0 },
      tests: { passed: 2, failed: 1, refused: 0, wrong: 0, unfinished: 0 },
    },
  ]);
  expect(report.total).toMatchObject({ pipelines: 5, tests: { passed: 2, failed: 1 } });
  expect(report.total.cpuSeconds).toBeGreaterThan(0);
  const notIncluded = 'a name in its path begins with a dot, and files.include does not match it';
  expect(report.reasons).toEqual([
    {
      kind: 'wrong',
      what: 'Unknown transition `succes` of a component; did you mean "…"?',
      count: 1,
      withoutTest: 1,
      example: 'broken/load.orch.yaml',
    },
    {
      kind: 'left out',
      what: notIncluded,
      count: 1,
      withoutTest: 1,
      example: 'orders/.drafts/draft.tran.yaml',
    },
    {
      kind: 'refused',
      what: 'the function UNHEARD_OF',
      count: 1,
      withoutTest: 0,
      example: 'orders/refresh.orch.yaml',
    },
    {
      kind: 'test failed',
      what: 'the table "…" has N row, not N',
      count: 1,
      withoutTest: 0,
      example: 'orders/totals.test.yaml',
    },
  ]);
  expect(filesIn(folder)).toEqual(before);

  const text = corpusLines(report)
    .join('\n')
    .replaceAll(/\d+\.\d s/g, '1.0 s');
  expect(text).toContain(`orders
  4 pipelines: 1 succeed in their first test, 1 succeed with what cannot run mocked, 1 have a test already, 1 are left out
  tests: 2 passed, 1 failed, 0 refused
  1.0 s, 1.0 s of CPU

All 2 projects
  5 pipelines: `);
  expect(text).toContain(`
Reasons, by the number of pipelines and test files
  1, 1 without a test: wrong: Unknown transition \`succes\` of a component; did you mean "…"? (broken/load.orch.yaml)
  1, 1 without a test: left out: ${notIncluded} (orders/.drafts/draft.tran.yaml)
  1: refused: the function UNHEARD_OF (orders/refresh.orch.yaml)
  1: test failed: the table "…" has N row, not N (orders/totals.test.yaml)`);
});

test('a pipeline that takes longer than the time limit is ended and counted', async () => {
  const steps: string[] = [];
  const record = await runProject(folder, 'orders', { timeLimitMs: 1, onStep: (step) => steps.push(step) });
  expect(record.pipelines.map(({ status }) => status)).toEqual([
    'left-out',
    'time-limit',
    'time-limit',
    'has-test',
  ]);
  expect(record.tests).toMatchObject([{ file: 'totals.test.yaml', status: 'time-limit' }]);
  expect(corpusReport([record])).toMatchObject({
    total: { outcomes: { 'time-limit': 2 }, tests: { unfinished: 1 } },
    reasons: [{ kind: 'time limit', count: 2 }, { kind: 'left out' }, { kind: 'time limit', count: 1 }],
  });
});

test('a folder with a millrace.yaml or a pipeline is a project, and so is each folder of another one', () => {
  expect(findProjects(folder)).toEqual(['broken', 'orders']);
  expect(findProjects(path.join(folder, 'orders'))).toEqual(['']);
});

test.each([
  ['a folder that does not exist', ['nowhere']],
  ['a time limit that is not a number', ['projects', '--time-limit', 'long']],
])('%s shows the usage', (_, args) => {
  expect(run(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage: ') as string });
});

test.each([
  [
    'a/b c.orch.yaml:3:5: the column "A" was not found; known: "B", "C"',
    'the column "…" was not found; known: "…", …',
  ],
  ['table "X"."Y"."Z" has 12 rows\nmore', 'table "…" has N rows'],
])('a message becomes a reason without names and numbers: %j', (message, reason) => {
  expect(withoutNames(message)).toBe(reason);
});
