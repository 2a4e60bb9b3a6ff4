import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { RunResult } from '../../runner/run-action.ts';
import {
  createSharingEnvironment,
  repository,
  type ActionRun,
  type ActionEnvironment,
} from '../action-environment.ts';
import { manyViolations, millraceYaml } from '../warehouse-files.ts';

const baseline = '.platform/review-baseline.json';
const settings = millraceYaml.replace('review:\n', `review:\n  baseline: ${baseline}\n`);
const reported = z.object({
  findings: z.array(
    z.object({
      component: z.string().optional(),
      state: z.string(),
      rule: z.string(),
      fingerprint: z.string(),
    }),
  ),
  nextBaseline: z.array(z.unknown()),
});

let testEnvironment: ActionEnvironment;
beforeEach(async () => {
  testEnvironment = await createSharingEnvironment();
});
afterEach(() => testEnvironment[Symbol.asyncDispose]());

/** One finding a line, as `millrace review --update-baseline` writes them. */
function write(entries: readonly unknown[]): string {
  return `[${entries.map((entry) => JSON.stringify(entry)).join('\n,')}\n]\n`;
}

async function reviewed(start: (run: ActionRun) => Promise<RunResult>) {
  let report: z.infer<typeof reported> = { findings: [], nextBaseline: [] };
  const onFinished = ({ outputs }: RunResult): void => {
    report = reported.parse(JSON.parse(readFileSync(outputs['report-path'] ?? '', 'utf8')));
  };
  const result = await start({ action: '', as: 'reader', more: { onFinished } });
  return { ...result, ...report };
}

test('with a baseline only new findings count, and a pull request cannot add its own to it', async () => {
  await testEnvironment.builder.commit('main', { 'many.tran.yaml': manyViolations(3) });
  const sha = (await testEnvironment.github.repository(repository).git.commit('refs/heads/main')) ?? '';
  const dispatch = { name: 'workflow_dispatch', payload: {}, ref: 'refs/heads/main', sha };
  const old = await reviewed((run) => testEnvironment.event(dispatch, run));
  expect([old.exitCode, old.nextBaseline.length]).toEqual([1, 3]);
  await testEnvironment.builder.commit('main', {
    'millrace.yaml': settings,
    [baseline]: write(old.nextBaseline),
  });

  // The first component goes, two stay, one comes.
  const changed = manyViolations(4).replace(/ {4}bad 0:\n(?: {6}.*\n)+/u, '');
  await testEnvironment.builder.commit('feature/x', { 'many.tran.yaml': changed }, { from: 'main' });
  const number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const result = await reviewed((run) => testEnvironment.pullRequest(number, run));
  expect(result.findings.map(({ component, state }) => `${component ?? ''} ${state}`)).toEqual([
    'bad 3 new',
    'bad 1 known',
    'bad 2 known',
    'bad 0 fixed',
  ]);
  expect([result.exitCode, result.outputs['errors'], result.annotations.length]).toEqual([1, '1', 1]);
  expect(result.summary).toMatch(/error \(known\).*bad 1/u);

  // Those who pass by see a number instead of the whole baseline.
  await testEnvironment.pullRequest(number, { action: '' });
  const body = testEnvironment.github.repository(repository).comments[0]?.body ?? '';
  expect(body).toContain('2 findings are in the baseline and do not count.');
  expect(body).toContain('1 finding of the baseline is fixed.');
  expect(body).not.toContain('bad 1');

  await testEnvironment.builder.commit('feature/x', { [baseline]: write(result.nextBaseline) });
  const own = await reviewed((run) => testEnvironment.pullRequest(number, run));
  expect([own.exitCode, own.outputs['errors']]).toEqual([1, '1']);
  expect(own.findings.map(({ rule }) => rule)).toContain('millrace/policy-changed');
});

test('with a baseline recorded without a rules file, a pull request that deletes the file fails', async () => {
  const rulesFile = '.platform/config/pipeline_quality_rules.yaml';
  const known = { file: rulesFile, rule: 'rules-file', fingerprint: '' };
  await testEnvironment.builder.commit('broken', { [rulesFile]: null }, { from: 'main' });
  const sha = (await testEnvironment.github.repository(repository).git.commit('refs/heads/broken')) ?? '';
  const dispatch = { name: 'workflow_dispatch', payload: {}, ref: 'refs/heads/broken', sha };
  const broken = await reviewed((run) => testEnvironment.event(dispatch, run));
  expect([broken.exitCode, broken.nextBaseline]).toEqual([1, []]);
  // As an earlier version recorded it.
  const entries = broken.findings.map(({ fingerprint }) => ({ ...known, fingerprint }));
  expect(entries).toHaveLength(1);
  await testEnvironment.builder.commit('main', { 'millrace.yaml': settings, [baseline]: write(entries) });

  const changes = { [rulesFile]: null, 'many.tran.yaml': manyViolations(3) };
  await testEnvironment.builder.commit('feature/x', changes, { from: 'main' });
  const number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const result = await reviewed((run) => testEnvironment.pullRequest(number, run));
  expect([result.exitCode, result.outputs['outcome'], result.outputs['errors']]).toEqual([1, 'failed', '1']);
});
