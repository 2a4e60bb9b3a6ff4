import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { inProcess } from '../../cli/in-process.ts';
import type { Changes } from '../../environment/github/bare-repository-builder.ts';
import type { RunResult } from '../../runner/run-action.ts';
import {
  createSharingEnvironment,
  repository,
  type ActionRun,
  type ActionEnvironment,
} from '../action-environment.ts';
import { millraceYaml, orchestration, warehouseFiles } from '../warehouse-files.ts';

/** An orchestration with one call; the target is on line 6. */
const caller = (target: string, note = '') =>
  `type: "orchestration"\npipeline:\n  components:\n    Run:\n      type: "run-orchestration"\n      parameters: { orchestrationJob: "${target}" }\n${note}`;
const load = orchestration('Load orders');

const files = {
  ...warehouseFiles,
  'millrace.yaml': millraceYaml.replace('review:\n', 'review:\n  checks: { unknown-call: error }\n'),
  'daily/load.orch.yaml': load,
  'main.orch.yaml': caller('daily/load'),
  // Its own fault, which no change of this file's table causes.
  'old.orch.yaml': caller('never/there', '# It mentions daily/load and main.\n'),
};

const reported = z.object({
  outcome: z.string(),
  findings: z.array(z.object({ rule: z.string(), severity: z.string(), file: z.string(), line: z.number() })),
  reviewed: z.array(z.string()),
});
type Reported = z.infer<typeof reported>;

const git = promisify(execFile);
let testEnvironment: ActionEnvironment;

async function byAction(start: (run: ActionRun) => Promise<RunResult>, run: Partial<ActionRun>) {
  let report: unknown;
  const onFinished = ({ outputs }: RunResult): void => {
    report = JSON.parse(readFileSync(outputs['report-path'] ?? '', 'utf8'));
  };
  const { exitCode } = await start({ action: '', as: 'reader', ...run, more: { onFinished } });
  return { exitCode, ...essence(reported.parse(report)) };
}

async function byCommand(folder: string, ...args: string[]) {
  const { PATH = '' } = process.env;
  const environment = testEnvironment.platform.environment();
  const ended = await inProcess(['review', '--base', 'origin/main', '--json', ...args], {
    cwd: folder,
    env: { ...environment, PATH },
  });
  return { exitCode: ended.code, ...essence(reported.parse(JSON.parse(ended.stdout))) };
}

function essence({ outcome, findings, reviewed }: Reported) {
  return {
    outcome,
    reviewed: reviewed.toSorted(),
    findings: findings
      .map(({ rule, severity, file, line }) => `${severity} ${rule} ${file}:${line}`)
      .toSorted(),
  };
}

/** What each entrance of a kind says about one change. */
async function askEntrances(kind: 'command' | 'action', branch: string, changes: Changes) {
  const head = await testEnvironment.builder.commit(branch, changes, { from: 'main' });
  const base = (await testEnvironment.github.repository(repository).git.commit('refs/heads/main')) ?? '';
  const queue = `gh-readonly-queue/main/${branch}`;
  const queued = await testEnvironment.builder.commit(queue, changes, { from: 'main' });
  const number = testEnvironment.github.openPull(repository, { head: branch, base: 'main' });
  const folder = await mkdtemp(join(testEnvironment.folder, 'clone-'));
  await git('git', ['clone', '--quiet', '--branch', branch, testEnvironment.builder.path, folder]);
  const group = {
    head_ref: `refs/heads/${queue}`,
    head_sha: queued,
    base_ref: 'refs/heads/main',
    base_sha: base,
  };
  const mergeGroup = {
    name: 'merge_group',
    payload: { action: 'checks_requested', merge_group: group },
    ref: group.head_ref,
    sha: queued,
  };
  const inputs = { local: 'true' };
  const pull = (run: ActionRun) => testEnvironment.pullRequest(number, run);
  const onPush = (run: ActionRun) => testEnvironment.push(`refs/heads/${branch}`, run, base);
  const inQueue = (run: ActionRun) => testEnvironment.event(mergeGroup, run);
  expect(head).not.toBe(base);
  const commands = {
    'the command, by the platform': () => byCommand(folder, '--branch', branch),
    'the command, locally': () => byCommand(folder, '--local'),
    'the command, on the files on disk': () => byCommand(folder, '--local', '--working-tree'),
  };
  const actions = {
    'the action on a pull request, by the platform': () => byAction(pull, {}),
    'the action on a pull request where GitHub refuses its list': () =>
      byAction(pull, { as: 'blind', inputs }),
    'the action on a push': () => byAction(onPush, { inputs }),
    'the action on a push where GitHub refuses its list': () => byAction(onPush, { as: 'blind', inputs }),
    'the action in the merge queue': () => byAction(inQueue, { as: 'blind', inputs }),
  };
  const answers: Record<string, unknown> = {};
  for (const [entrance, ask] of Object.entries(kind === 'command' ? commands : actions))
    answers[entrance] = await ask();
  return answers;
}

const missingCalls = 'error millrace/unknown-call main.orch.yaml:6';
const passed = (...reviewed: string[]) => ({
  exitCode: 0,
  outcome: 'passed',
  reviewed,
  findings: [] as string[],
});
const failed = (findings: string[], ...reviewed: string[]) => ({
  exitCode: 1,
  outcome: 'failed',
  reviewed,
  findings,
});

const changesOfCalls: readonly (readonly [
  what: string,
  changes: Changes,
  expected: ReturnType<typeof failed>,
])[] = [
  ['deletes a called pipeline', { 'daily/load.orch.yaml': null }, failed([missingCalls])],
  [
    'renames a called pipeline',
    { 'daily/load.orch.yaml': null, 'daily/import.orch.yaml': load },
    failed([missingCalls], 'daily/import.orch.yaml'),
  ],
  [
    'renames a called pipeline in case only',
    { 'daily/load.orch.yaml': null, 'daily/Load.orch.yaml': load },
    failed([missingCalls], 'daily/Load.orch.yaml'),
  ],
  [
    'renames a called pipeline to a name that is not a pipeline name',
    { 'daily/load.orch.yaml': null, 'daily/load.txt': load },
    failed([missingCalls]),
  ],
  [
    'deletes a pipeline and fixes its caller',
    { 'daily/load.orch.yaml': null, 'main.orch.yaml': caller('shared/clean up') },
    passed('main.orch.yaml'),
  ],
  [
    'renames a pipeline and its callers with it',
    {
      'daily/load.orch.yaml': null,
      'daily/import.orch.yaml': load,
      'main.orch.yaml': caller('daily/import'),
    },
    passed('daily/import.orch.yaml', 'main.orch.yaml'),
  ],
  [
    'touches the caller only',
    { 'main.orch.yaml': caller('daily/load', '# why\n') },
    passed('main.orch.yaml'),
  ],
  ['touches the callee only', { 'daily/load.orch.yaml': `${load}# why\n` }, passed('daily/load.orch.yaml')],
  [
    'adds a pipeline with an unknown call',
    { 'new.orch.yaml': caller('no/where') },
    failed(['error millrace/unknown-call new.orch.yaml:6'], 'new.orch.yaml'),
  ],
  [
    'deletes a pipeline without callers',
    { 'shared/clean up.orch.yaml': null },
    { ...passed(), outcome: 'nothing-to-do' },
  ],
  ['touches no pipeline', { 'sql/orders.sql': 'select 2;\n' }, { ...passed(), outcome: 'nothing-to-do' }],
  [
    'touches a file with a fault of its own',
    { 'old.orch.yaml': caller('never/there', '# touched\n') },
    failed(['error millrace/unknown-call old.orch.yaml:6'], 'old.orch.yaml'),
  ],
];

/** The change that `npm test` asks the action about too. */
const throughActions = ['renames a called pipeline'];

/** Every entrance says the same of a change. */
export function testReviewEntrances(depth: 'every run' | 'deep'): void {
  beforeAll(async () => {
    testEnvironment = await createSharingEnvironment(files);
  });
  afterAll(() => testEnvironment[Symbol.asyncDispose]());

  test.each(depth === 'every run' ? changesOfCalls : [])(
    'every entrance of the command reviews alike a change that %s',
    async (what, changes, expected) => {
      const answers = await askEntrances('command', `command-${what.replaceAll(/[^a-z]+/gu, '-')}`, changes);
      expect(answers).toEqual(Object.fromEntries(Object.keys(answers).map((name) => [name, expected])));
    },
  );
  test.each(changesOfCalls.filter(([what]) => throughActions.includes(what) === (depth === 'every run')))(
    'every entrance of the action reviews alike a change that %s',
    async (what, changes, expected) => {
      const answers = await askEntrances('action', `action-${what.replaceAll(/[^a-z]+/gu, '-')}`, changes);
      expect(answers).toEqual(Object.fromEntries(Object.keys(answers).map((name) => [name, expected])));
    },
  );
}
