import { describe, expect, test } from 'vitest';
import {
  bad,
  brokenSettings,
  createPolicyEnvironment,
  places,
  testPolicyChanges,
  touched,
} from './review-policy-changes.ts';
import { repository } from '../action-environment.ts';
import { millraceYaml, orchestration } from '../warehouse-files.ts';

const policy = createPolicyEnvironment();
const { review } = policy;

testPolicyChanges(policy, 'pull_request');
testPolicyChanges(policy, 'merge_group');

test.each(['pull_request', 'merge_group'])(
  'a change that repairs the settings notes that its own settings apply (on %s)',
  async (event) => {
    const result = await review(event, 'broken-settings', { 'millrace.yaml': millraceYaml });
    expect(result.summary).toContain(
      'The millrace.yaml of the base is invalid, so the one of this change applies',
    );
  },
);

test('with policy-from: head a change can loosen its own gate', async () => {
  const changes = {
    'millrace.yaml': millraceYaml.replace('review:\n', 'review:\n  fail-on: never\n'),
    ...bad,
  };
  const inputs = { local: 'true', 'policy-from': 'head' };
  expect((await review('merge_group', 'main', changes, inputs)).exitCode).toBe(0);
});

test('a branch older than the repair of the settings does not fail because of them', async () => {
  await policy
    .testEnvironment()
    .builder.commit('main-2', { 'millrace.yaml': brokenSettings }, { from: 'main' });
  await policy.testEnvironment().builder.commit('older', touched, { from: 'main-2' });
  await policy.testEnvironment().builder.commit('main-2', { 'millrace.yaml': millraceYaml });
  const number = policy.testEnvironment().github.openPull(repository, { head: 'older', base: 'main-2' });
  const result = await policy
    .testEnvironment()
    .pullRequest(number, { action: '', as: 'reader', inputs: { local: 'true' } });
  expect([result.exitCode, places(result)]).toEqual([0, []]);
});

test('a review on the platform reports invalid settings, which are neither known nor suppressed', async () => {
  const suppress = 'review:\n  suppress: [{ rule: config-invalid, reason: It may stay }]\n';
  await policy
    .testEnvironment()
    .builder.commit(
      'suppressing',
      { 'millrace.yaml': millraceYaml.replace('review:\n', suppress) },
      { from: 'main' },
    );
  const result = await review(
    'pull_request',
    'suppressing',
    { 'millrace.yaml': brokenSettings, ...touched },
    {},
  );
  expect([result.exitCode, places(result)]).toEqual([1, ['millrace/config-invalid millrace.yaml:5']]);
});

describe('pipelines that no pattern of millrace.yaml selects', () => {
  const inDot = { '.pipelines/daily/new.orch.yaml': orchestration('load 1') };

  test('are reported if a change adds them to a folder that begins with a dot', async () => {
    const result = await review('pull_request', 'main', inDot);
    expect(places(result)).toEqual(['millrace/left-out .pipelines/daily/new.orch.yaml:1']);
    expect([result.exitCode, result.outputs['outcome'], result.outputs['warnings']]).toEqual([
      0,
      'nothing-to-do',
      '1',
    ]);
    expect(result.annotations[0]?.message).toContain('".pipelines" begins with a dot');
  });

  test('fail the change with fail-on: warning, and do not affect another change', async () => {
    const strict = await review('pull_request', 'main', inDot, { local: 'true', 'fail-on': 'warning' });
    expect([strict.exitCode, strict.outputs['outcome']]).toEqual([1, 'failed']);
    await policy.testEnvironment().builder.commit('dotted', inDot, { from: 'main' });
    const other = await review('pull_request', 'dotted', touched);
    expect([other.exitCode, other.outputs['outcome'], places(other)]).toEqual([0, 'passed', []]);
  });

  test('lead to a warning in a review of all pipelines, if the project has no other pipelines', async () => {
    await policy
      .testEnvironment()
      .builder.commit(
        'empty',
        { 'daily/load.orch.yaml': null, 'shared/clean up.orch.yaml': null },
        { from: 'main' },
      );
    const sha =
      (await policy.testEnvironment().github.repository(repository).git.commit('refs/heads/empty')) ?? '';
    const event = { name: 'workflow_dispatch', payload: {}, ref: 'refs/heads/empty', sha };
    const result = await policy.testEnvironment().event(event, { action: '' });
    expect([result.exitCode, result.outputs['outcome']]).toEqual([0, 'nothing-to-do']);
    expect(result.summary).toContain('the project has no pipelines');
    const { checkRuns } = policy.testEnvironment().github.repository(repository);
    expect(checkRuns.at(-1)).toMatchObject({
      conclusion: 'neutral',
      annotations: [{ annotation_level: 'warning', title: 'millrace/no-pipelines', path: 'millrace.yaml' }],
    });
  });
});
