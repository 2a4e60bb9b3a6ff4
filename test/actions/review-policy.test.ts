import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Changes } from '../environment/github/bare-repository-builder.ts';
import type { RunResult } from '../runner/run-action.ts';
import { openScene, repository, type RunInScene, type Scene } from './scene.ts';
import { millraceYaml, orchestration, rules } from './warehouse-files.ts';

const rulesFile = '.platform/config/pipeline_quality_rules.yaml';
const baseline = '.platform/review-baseline.json';
/** The unknown key is on line 5. */
const broken = millraceYaml.replace('  agent-version', '  scop: all\n  agent-version');
const touched = { 'daily/load.orch.yaml': orchestration('Load more') };
const bad = { 'daily/load.orch.yaml': orchestration('load 1') };
const conflict = '[{"baseline":"millrace review","version":1}\n<<<<<<< ours\n]\n';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
  await scene.builder.commit('broken-settings', { 'millrace.yaml': broken }, { from: 'main' });
  await scene.builder.commit('broken-rules', { [rulesFile]: 'rules: {}\n' }, { from: 'main' });
  const empty = conflict.replace('<<<<<<< ours\n', '');
  await scene.builder.commit('with-baseline', { [baseline]: empty }, { from: 'main' });
  await scene.builder.commit('broken-baseline', { [baseline]: conflict }, { from: 'main' });
});
afterAll(() => scene[Symbol.asyncDispose]());

let branches = 0;

/** A change of `base`, asked for as a pull request or in the merge queue. */
async function review(
  event: string,
  base: string,
  changes: Changes,
  inputs: Readonly<Record<string, string>> = { local: 'true' },
): Promise<RunResult> {
  branches += 1;
  const queue = event === 'merge_group';
  const branch = `${queue ? 'gh-readonly-queue/main/' : ''}change-${String(branches)}`;
  const sha = await scene.builder.commit(branch, changes, { from: base });
  const run: RunInScene = { action: '', as: 'reader', inputs };
  if (!queue) {
    const number = scene.github.openPull(repository, { head: branch, base });
    return await scene.pullRequest(number, run);
  }
  const base_sha = (await scene.github.repository(repository).git.commit(`refs/heads/${base}`)) ?? '';
  const ref = `refs/heads/${branch}`;
  const merge_group = { head_ref: ref, head_sha: sha, base_ref: `refs/heads/${base}`, base_sha };
  const payload = { action: 'checks_requested', merge_group };
  return await scene.event({ name: 'merge_group', payload, ref, sha }, run);
}

function places({ annotations }: RunResult): string[] {
  return annotations
    .filter(({ title }) => title !== 'millrace/policy-changed')
    .map(({ title, file, line }) => `${title ?? ''} ${file ?? ''}:${String(line)}`);
}

describe.each(['pull_request', 'merge_group'])('on %s', (event) => {
  test.each<[what: string, base: string, changes: Changes, exitCode: number, places: string[]]>([
    [
      'breaks the settings',
      'main',
      { 'millrace.yaml': broken },
      1,
      ['millrace/config-invalid millrace.yaml:5'],
    ],
    [
      'breaks the settings and touches a pipeline',
      'main',
      { 'millrace.yaml': broken, ...touched },
      1,
      ['millrace/config-invalid millrace.yaml:5'],
    ],
    ['repairs the settings', 'broken-settings', { 'millrace.yaml': millraceYaml }, 0, []],
    ['takes broken settings away', 'broken-settings', { 'millrace.yaml': null, ...touched }, 0, []],
    [
      'repairs the settings and breaks a rule',
      'broken-settings',
      { 'millrace.yaml': millraceYaml, ...bad },
      1,
      ['component-naming-convention daily/load.orch.yaml:10'],
    ],
    [
      'leaves broken settings as they are',
      'broken-settings',
      touched,
      2,
      ['Millrace: config-invalid millrace.yaml:5'],
    ],
    ['breaks the rules file', 'main', { [rulesFile]: 'rules: {}\n' }, 1, [`rules-file ${rulesFile}:1`]],
    ['deletes the rules file', 'main', { [rulesFile]: null }, 1, [`rules-file ${rulesFile}:1`]],
    ['repairs the rules file', 'broken-rules', { [rulesFile]: rules }, 0, []],
    [
      'breaks the baseline',
      'with-baseline',
      { [baseline]: conflict },
      1,
      [`millrace/config-invalid ${baseline}:2`],
    ],
    [
      'begins with a broken baseline',
      'main',
      { [baseline]: conflict },
      2,
      [`Millrace: config-invalid ${baseline}:2`],
    ],
    ['repairs the baseline', 'broken-baseline', { [baseline]: null, ...touched }, 0, []],
    [
      'loosens its own gate',
      'main',
      { 'millrace.yaml': millraceYaml.replace('review:\n', 'review:\n  fail-on: never\n'), ...bad },
      1,
      ['component-naming-convention daily/load.orch.yaml:10'],
    ],
  ])('a change that %s ends as it should', async (what, base, changes, exitCode, wanted) => {
    const result = await review(event, base, changes);
    expect([what, result.exitCode, places(result)]).toEqual([what, exitCode, wanted]);
  });

  test('a change that repairs the settings says that its own hold', async () => {
    const result = await review(event, 'broken-settings', { 'millrace.yaml': millraceYaml });
    expect(result.summary).toContain(
      'The millrace.yaml of the base cannot be read, so that of this change holds',
    );
  });
});

test('a change whose head decides loosens its gate where policy-from says so', async () => {
  const changes = {
    'millrace.yaml': millraceYaml.replace('review:\n', 'review:\n  fail-on: never\n'),
    ...bad,
  };
  const inputs = { local: 'true', 'policy-from': 'head' };
  expect((await review('merge_group', 'main', changes, inputs)).exitCode).toBe(0);
});

test('a branch that is older than the repair of the settings is not blamed for the fault', async () => {
  await scene.builder.commit('main-2', { 'millrace.yaml': broken }, { from: 'main' });
  await scene.builder.commit('older', touched, { from: 'main-2' });
  await scene.builder.commit('main-2', { 'millrace.yaml': millraceYaml });
  const number = scene.github.openPull(repository, { head: 'older', base: 'main-2' });
  const result = await scene.pullRequest(number, { action: '', as: 'reader', inputs: { local: 'true' } });
  expect([result.exitCode, places(result)]).toEqual([0, []]);
});

test('the platform’s review finds broken settings too, and they are neither known nor suppressed', async () => {
  const suppress = 'review:\n  suppress: [{ rule: config-invalid, reason: It may stay }]\n';
  await scene.builder.commit(
    'suppressing',
    { 'millrace.yaml': millraceYaml.replace('review:\n', suppress) },
    { from: 'main' },
  );
  const result = await review('pull_request', 'suppressing', { 'millrace.yaml': broken, ...touched }, {});
  expect([result.exitCode, places(result)]).toEqual([1, ['millrace/config-invalid millrace.yaml:5']]);
});

describe('pipelines that nothing names', () => {
  const inDot = { '.pipelines/daily/new.orch.yaml': orchestration('load 1') };

  test('are said where a change adds them to a folder that begins with a dot', async () => {
    const result = await review('pull_request', 'main', inDot);
    expect(places(result)).toEqual(['millrace/left-out .pipelines/daily/new.orch.yaml:1']);
    expect([result.exitCode, result.outputs['outcome'], result.outputs['warnings']]).toEqual([
      0,
      'nothing-to-do',
      '1',
    ]);
    expect(result.annotations[0]?.message).toContain('".pipelines" begins with a dot');
  });

  test('fail the change where warnings do, and are no matter of another change', async () => {
    const strict = await review('pull_request', 'main', inDot, { local: 'true', 'fail-on': 'warning' });
    expect([strict.exitCode, strict.outputs['outcome']]).toEqual([1, 'failed']);
    await scene.builder.commit('dotted', inDot, { from: 'main' });
    const other = await review('pull_request', 'dotted', touched);
    expect([other.exitCode, other.outputs['outcome'], places(other)]).toEqual([0, 'passed', []]);
  });

  test('leave a project without any, which a whole review says with a warning', async () => {
    await scene.builder.commit(
      'empty',
      { 'daily/load.orch.yaml': null, 'shared/clean up.orch.yaml': null },
      { from: 'main' },
    );
    const sha = (await scene.github.repository(repository).git.commit('refs/heads/empty')) ?? '';
    const event = { name: 'workflow_dispatch', payload: {}, ref: 'refs/heads/empty', sha };
    const result = await scene.event(event, { action: '' });
    expect([result.exitCode, result.outputs['outcome']]).toEqual([0, 'nothing-to-do']);
    expect(result.summary).toContain('the project has no pipelines');
    const { checkRuns } = scene.github.repository(repository);
    expect(checkRuns.at(-1)).toMatchObject({
      conclusion: 'neutral',
      annotations: [{ annotation_level: 'warning', title: 'millrace/no-pipelines', path: 'millrace.yaml' }],
    });
  });
});
