import { expect, test } from 'vitest';
import { readTarget, type RunFacts } from '../../../lib/github/event-target.ts';

const sha = (digit: string): string => digit.repeat(40);

function facts(eventName: string, payload: unknown, more: Partial<RunFacts> = {}): RunFacts {
  return {
    eventName,
    payload,
    ref: 'refs/heads/main',
    sha: sha('9'),
    repository: 'example/warehouse',
    actor: 'octocat',
    ...more,
  };
}

function pull(headRepository: string | null) {
  return {
    pull_request: {
      number: 7,
      head: {
        ref: 'feature/x',
        sha: sha('a'),
        repo: headRepository === null ? null : { full_name: headRepository },
      },
      base: { ref: 'main', sha: sha('b'), repo: { full_name: 'example/warehouse' } },
    },
  };
}

test('the target of a pull request is its head branch and head commit, not the merge commit', () => {
  const target = readTarget(facts('pull_request', pull('Example/Warehouse'), { ref: 'refs/pull/7/merge' }));
  expect(target).toMatchObject({
    kind: 'pull-request',
    branch: 'feature/x',
    commit: sha('a'),
    base: sha('b'),
    pullRequest: 7,
    fork: false,
    withoutSecrets: false,
  });
});

test.each([
  ['pull_request', [sha('9'), sha('e')]],
  ['pull_request_target', [sha('e')]],
])('%s has GitHub’s test merge commits, and never the tip of the base', (event, merges) => {
  const { pull_request: own } = pull('example/warehouse');
  const payload = { pull_request: { ...own, merge_commit_sha: sha('e') } };
  expect(readTarget(facts(event, payload))?.mergeCommits).toEqual(merges);
});

test.each(['stranger/warehouse', null])(
  'a pull request whose head repository is %j is a fork without secrets',
  (name) => {
    expect(readTarget(facts('pull_request', pull(name)))).toMatchObject({ fork: true, withoutSecrets: true });
  },
);

test('a pull request of Dependabot gets no secrets although it is not a fork', () => {
  const target = readTarget(facts('pull_request', pull('example/warehouse'), { actor: 'dependabot[bot]' }));
  expect(target).toMatchObject({ fork: false, withoutSecrets: true });
});

test('pull_request_target carries a warning', () => {
  expect(readTarget(facts('pull_request_target', pull('stranger/w')))?.notes[0]).toContain('Never check out');
});

test('the target of a merge group is its temporary branch', () => {
  const payload = {
    merge_group: {
      head_ref: 'refs/heads/gh-readonly-queue/main/pr-7',
      head_sha: sha('c'),
      base_sha: sha('b'),
    },
  };
  expect(readTarget(facts('merge_group', payload))).toMatchObject({
    kind: 'merge-group',
    branch: 'gh-readonly-queue/main/pr-7',
    commit: sha('c'),
    base: sha('b'),
  });
});

test('a push to a branch has the previous commit as its base, a new branch has none', () => {
  const push = (before: string) => ({ ref: 'refs/heads/a/b', before, after: sha('d') });
  expect(readTarget(facts('push', push(sha('c'))))).toMatchObject({
    branch: 'a/b',
    commit: sha('d'),
    base: sha('c'),
  });
  expect(readTarget(facts('push', push(sha('0'))))).not.toHaveProperty('base');
});

test('a deleted branch has no target', () => {
  expect(
    readTarget(facts('push', { ref: 'refs/heads/a', before: sha('c'), after: sha('0') })),
  ).toBeUndefined();
});

test('the target of a pushed tag is the commit from the runner', () => {
  const payload = { ref: 'refs/tags/finance/v1.0', before: sha('0'), after: sha('e') };
  expect(readTarget(facts('push', payload))).toMatchObject({
    kind: 'tag',
    tag: 'finance/v1.0',
    branch: '',
    commit: sha('9'),
  });
});

test('the target of a manual run is its ref', () => {
  expect(readTarget(facts('workflow_dispatch', {}))).toMatchObject({
    kind: 'branch',
    branch: 'main',
    commit: sha('9'),
  });
});

test('a payload without GitHub’s format is rejected, and the error names the event', () => {
  expect(() => readTarget(facts('pull_request', { hello: 1 }))).toThrow('"pull_request"');
});

test('the target of a deployment without a ref is its commit, without a branch', () => {
  const commit = 'a'.repeat(40);
  const run = { payload: {}, repository: 'o/r', actor: 'me' };
  const target = readTarget({ ...run, eventName: 'deployment', ref: '', sha: commit });
  expect(target).toMatchObject({ kind: 'commit', branch: '', commit, fork: false });
});

test('the error for a payload without a required field names the field', () => {
  const { pull_request: whole } = pull('example/warehouse');
  const payload = { pull_request: { ...whole, head: { ref: 'feature/x', repo: null } } };
  expect(() => readTarget(facts('pull_request', payload))).toThrow(
    'The payload of the event "pull_request" does not have GitHub’s format: pull_request.head.sha is missing.',
  );
});
