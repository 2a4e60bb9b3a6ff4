import { expect, test } from 'vitest';
import {
  readCheckTarget,
  readTarget,
  type RunFacts,
} from '../../../../lib/github/workflow-run/event-target.ts';

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

test.each([
  'branch_protection_rule',
  'check_run',
  'check_suite',
  'delete',
  'discussion',
  'discussion_comment',
  'fork',
  'gollum',
  'image_version',
  'issue_comment',
  'issues',
  'label',
  'milestone',
  'page_build',
  'public',
  'registry_package',
  'repository_dispatch',
  'status',
  'watch',
  'workflow_run',
  'constructor',
])('%s is about no commit: it is refused, unless the workflow names one', (eventName) => {
  const run = facts(eventName, { workflow_run: { head_sha: sha('f') } });
  expect(() => readCheckTarget(run)).toThrow(`The event "${eventName}" does not say which commit to check`);
  const named = readCheckTarget(run, { commit: sha('a'), base: sha('b') });
  expect(named).toMatchObject({ kind: 'commit', commit: sha('a'), base: sha('b'), isBaseNamed: true });
  // Actions that check nothing run on every event.
  expect(readTarget(run)).toMatchObject({ kind: 'branch', commit: sha('9') });
});

test.each(['create', 'deployment', 'deployment_status', 'release', 'schedule', 'workflow_dispatch'])(
  'the target of %s is the commit and the ref of the run',
  (eventName) => {
    const ref = 'refs/tags/v1';
    expect(readCheckTarget(facts(eventName, {}, { ref }))).toMatchObject({ tag: 'v1', commit: sha('9') });
  },
);

test.each(['pull_request_review', 'pull_request_review_comment'])(
  '%s has the target of its pull request',
  (eventName) => {
    const target = readCheckTarget(facts(eventName, pull('example/warehouse')));
    expect(target).toMatchObject({ kind: 'pull-request', commit: sha('a'), base: sha('b') });
  },
);

test('a deleted branch or tag has nothing to check', () => {
  for (const ref of ['refs/heads/a', 'refs/tags/v1']) {
    const payload = { ref, before: sha('c'), after: sha('0') };
    expect(readCheckTarget(facts('push', payload))).toBeUndefined();
  }
});

test('a named commit is not the head of the pull request, unless it is the same', () => {
  const run = facts('pull_request', pull('example/warehouse'));
  expect(readCheckTarget(run, { commit: sha('a') })).toMatchObject({ pullRequest: 7 });
  const other = readCheckTarget(run, { commit: sha('f') });
  expect(other).toMatchObject({ kind: 'commit', commit: sha('f') });
  expect(other).not.toHaveProperty('pullRequest');
});

test('a pull request keeps its base: the workflow cannot name another', () => {
  const run = facts('pull_request', pull('example/warehouse'));
  expect(() => readCheckTarget(run, { base: sha('f') })).toThrow('has its own base');
});

test.each(['main', 'HEAD', sha('a').slice(1), `${sha('a')} `, sha('A'), '--output=x'])(
  'a named commit %j is refused: it is not a full commit id',
  (text) => {
    expect(() => readCheckTarget(facts('push', {}), { commit: text })).toThrow('is not a commit id');
    expect(() => readCheckTarget(facts('push', {}), { base: text })).toThrow('is not a commit id');
  },
);

test('a named commit of a pull request keeps its base, so that the change does not bring its own policy', () => {
  const merge = facts('pull_request', pull('stranger/warehouse'));
  expect(readCheckTarget(merge, { commit: sha('9') })).toMatchObject({
    kind: 'commit',
    commit: sha('9'),
    base: sha('b'),
    isBaseNamed: true,
    fork: true,
    withoutSecrets: true,
  });
  expect(() => readCheckTarget(merge, { commit: sha('9'), base: sha('a') })).toThrow('has its own base');
});
