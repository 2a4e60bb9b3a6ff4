import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { buildRepository } from '../../environment/github/bare-repository-builder.ts';
import type { RunResult } from '../../runner/run-action.ts';
import { repository, type ActionEnvironment } from '../action-environment.ts';
import { bad, openBadPull, testNoSecretLeaves, testViolationAndFix } from './review-tests.ts';
import { componentLine, manyViolations, millraceYaml, orchestration, rules } from '../warehouse-files.ts';

let testEnvironment: ActionEnvironment;
let number: number;

beforeEach(async () => {
  ({ testEnvironment, number } = await openBadPull());
});
afterEach(() => testEnvironment[Symbol.asyncDispose]());

testViolationAndFix('the root action', '', () => ({ testEnvironment, number }));

test('with permissions it makes a check run and a comment, and no duplicate annotations', async () => {
  const result = await testEnvironment.pullRequest(number, { action: '' });
  const { checkRuns, comments } = testEnvironment.github.repository(repository);
  expect(checkRuns[0]?.annotations[0]).toMatchObject({
    path: 'daily/load.orch.yaml',
    start_line: componentLine,
  });
  expect(checkRuns[0]?.conclusion).toBe('failure');
  expect(comments[0]?.body).toContain('component-naming-convention');
  expect([result.annotations, result.exitCode]).toEqual([[], 1]);

  await testEnvironment.builder.commit('feature/x', { 'daily/load.orch.yaml': orchestration('Load all') });
  await testEnvironment.pullRequest(number, { action: '' });
  expect(comments).toHaveLength(1);
  expect(comments[0]?.body).toContain('passed');
  expect(comments[0]?.body).not.toContain('component-naming-convention');
});

test('a read-only token does not change the gate, and the summary shows the permissions to add', async () => {
  const result = await testEnvironment.pullRequest(number, { action: '', as: 'reader' });
  expect(result.exitCode).toBe(1);
  expect(result.summary).toContain('checks&#58; write');
  expect(result.summary).toContain('pull-requests&#58; write');
});

test.each(['actions/review', 'actions/pull-request'])(
  'the findings are in a SARIF file too, whose path is an output (action "%s")',
  async (action) => {
    let text = '';
    const onFinished = ({ outputs }: RunResult): void => {
      text = readFileSync(outputs['sarif-path'] ?? '', 'utf8');
    };
    await testEnvironment.pullRequest(number, { action, as: 'reader', more: { onFinished } });
    expect(JSON.parse(text)).toMatchObject({
      runs: [
        {
          results: [
            {
              ruleId: 'component-naming-convention',
              level: 'error',
              locations: [{ physicalLocation: { region: { startLine: componentLine } } }],
            },
          ],
        },
      ],
    });
  },
);

test('the rules of the SARIF file link to the pages of the action’s repository', async () => {
  const links: unknown[] = [];
  const onFinished = ({ outputs }: RunResult): void => {
    const { runs } = z
      .object({ runs: z.array(z.object({ tool: z.object({ driver: z.record(z.string(), z.unknown()) }) })) })
      .parse(JSON.parse(readFileSync(outputs['sarif-path'] ?? '', 'utf8')));
    links.push(runs[0]?.tool.driver['informationUri'], runs[0]?.tool.driver['rules']);
  };
  const env = { GITHUB_ACTION_REPOSITORY: 'platform-team/millrace', GITHUB_ACTION_REF: 'v1' };
  await testEnvironment.pullRequest(number, { action: '', as: 'reader', more: { onFinished, env } });
  expect(links).toMatchObject([
    expect.stringMatching(/^https?:\/\/[^/]+\/platform-team\/millrace$/),
    [{ helpUri: expect.stringMatching(/\/millrace\/blob\/v1\/docs\/unknowns\.md#the-eight-rules$/) }],
  ]);
});

test('only changed pipelines are reviewed, or all of them after a change of the rules', async () => {
  const changed = await testEnvironment.pullRequest(number, { action: '' });
  expect(changed.outputs['reviewed']).toBe('1');
  expect(JSON.parse(changed.outputs['pipelines'] ?? '')).toHaveLength(1);
  await testEnvironment.builder.commit('feature/x', {
    '.platform/config/pipeline_quality_rules.yaml': `${rules}# more\n`,
  });
  const all = await testEnvironment.pullRequest(number, { action: '', as: 'reader' });
  expect(all.outputs['reviewed']).toBe('2');
  expect(all.annotations.find(({ level }) => level === 'notice')?.title).toBe('millrace/policy-changed');
});

test('a pull request that empties the rules file fails, even if it also breaks a pipeline', async () => {
  await testEnvironment.builder.commit('feature/x', {
    '.platform/config/pipeline_quality_rules.yaml': 'rules: []\n',
  });
  const result = await testEnvironment.pullRequest(number, { action: '', as: 'reader' });
  expect([result.exitCode, result.outputs['errors'], result.outputs['notices']]).toEqual([1, '1', '1']);
  expect(result.annotations.map(({ title }) => title)).toEqual([
    'millrace/rules-loosened',
    'millrace/policy-changed',
  ]);
});

test('fail-on: notice fails a change of millrace.yaml, and the output notices counts it', async () => {
  await testEnvironment.builder.commit(
    'policy',
    { 'millrace.yaml': `${millraceYaml}# more\n` },
    { from: 'main' },
  );
  const pull = testEnvironment.github.openPull(repository, { head: 'policy', base: 'main' });
  const noticed = await testEnvironment.pullRequest(pull, { action: '', as: 'reader' });
  expect([noticed.exitCode, noticed.outputs['notices']]).toEqual([0, '1']);
  const held = await testEnvironment.pullRequest(pull, {
    action: '',
    as: 'reader',
    inputs: { 'fail-on': 'notice' },
  });
  expect([held.exitCode, held.outputs['outcome'], held.outputs['notices']]).toEqual([1, 'failed', '1']);
});

test('a change without pipelines ends as nothing-to-do', async () => {
  await testEnvironment.builder.commit('docs', { 'README.md': 'hello\n' }, { from: 'main' });
  const docs = testEnvironment.github.openPull(repository, { head: 'docs', base: 'main' });
  const result = await testEnvironment.pullRequest(docs, { action: '' });
  expect([result.exitCode, result.outputs['outcome']]).toEqual([0, 'nothing-to-do']);
});

test('a pull request cannot loosen its own gate', async () => {
  const millrace = 'version: 1\nreview: { agent-version: "9.0.0", fail-on: never }\n';
  await testEnvironment.builder.commit('feature/x', { 'millrace.yaml': millrace });
  const result = await testEnvironment.pullRequest(number, { action: '', as: 'reader' });
  expect([result.exitCode, result.outputs['outcome']]).toEqual([1, 'failed']);
});

test('a finding that the base suppresses does not fail, and a pull request cannot suppress its own', async () => {
  const suppress = millraceYaml.replace(
    'review:\n',
    'review:\n  suppress:\n    - rule: component-naming-convention\n      reason: An old name that others call.\n',
  );
  await testEnvironment.builder.commit('feature/x', { 'millrace.yaml': suppress });
  const own = await testEnvironment.pullRequest(number, { action: '', as: 'reader' });
  expect([own.exitCode, own.outputs['outcome']]).toEqual([1, 'failed']);

  await testEnvironment.builder.commit('main', { 'millrace.yaml': suppress });
  const stays = await testEnvironment.pullRequest(number, { action: '', as: 'reader' });
  expect([stays.exitCode, stays.outputs['outcome'], stays.outputs['errors']]).toEqual([0, 'passed', '0']);
});

test('a file that the settings extend applies as it is in the base, also to errors of the platform', async () => {
  const { builder } = testEnvironment;
  const extending = millraceYaml.replace('review:\n', 'review:\n  extends: shared.yaml\n');
  const shared = (severity: string) =>
    `overrides: [{ files: ['**'], rules: { component-naming-convention: { severity: ${severity} } } }]\n`;
  await builder.commit('main', { 'millrace.yaml': extending, 'shared.yaml': shared('error') });
  await builder.commit('feature/shared', { ...bad, 'shared.yaml': shared('off') }, { from: 'main' });
  const pull = testEnvironment.github.openPull(repository, { head: 'feature/shared', base: 'main' });
  const own = await testEnvironment.pullRequest(pull, { action: '', as: 'reader' });
  expect([own.exitCode, own.outputs['outcome']]).toEqual([1, 'failed']);

  await builder.commit('main', { 'shared.yaml': shared('off') });
  const ofBase = await testEnvironment.pullRequest(pull, { action: '', as: 'reader' });
  expect([ofBase.exitCode, ofBase.outputs['outcome'], ofBase.outputs['errors']]).toEqual([0, 'passed', '0']);
});

test('a fork, which has no secrets, is reviewed with the local rules', async () => {
  const fork = await buildRepository(`${testEnvironment.folder}/git`, 'stranger/warehouse');
  await testEnvironment.github
    .repository(repository)
    .git.git('push', '--quiet', fork.path, 'refs/heads/main:refs/heads/main');
  await fork.commit('patch', bad, { from: 'main' });
  const head = { head: 'patch', base: 'main', headRepository: 'stranger/warehouse' };
  const pull = testEnvironment.github.openPull(repository, head);
  const result = await testEnvironment.pullRequest(pull, { action: '', as: 'reader', token: '' });
  expect(result.annotations[0]).toMatchObject({ file: 'daily/load.orch.yaml', line: componentLine });
  expect(result.summary).toContain('provides no secrets');
  expect([result.exitCode, result.outputs['outcome']]).toEqual([1, 'failed']);
});

test('without a token the hint shows the likely cause, and the exit code is 2', async () => {
  const result = await testEnvironment.pullRequest(number, { action: '', token: '' });
  expect(result.exitCode).toBe(2);
  expect(result.annotations[0]?.message).toContain(
    'Pull requests from forks and from Dependabot get no secrets',
  );
  expect(result.outputs['outcome']).toBe('error');
});

test('a wrong token is refused and not printed', async () => {
  const result = await testEnvironment.pullRequest(number, { action: '', token: 'wrong-token-value' });
  expect([result.exitCode, result.annotations[0]?.title]).toEqual([2, 'Millrace: unauthorized']);
  expect(result.raw).not.toContain('wrong-token-value');
});

test('a branch with a newer commit ends as superseded, not as failed', async () => {
  const payload = await testEnvironment.github.events.pullRequest(repository, number);
  const old = payload.pull_request.head.sha;
  // Forced to another history: the platform does not find the old commit on the branch any more.
  await testEnvironment.builder.commit('other', { 'x.orch.yaml': orchestration('Other') }, { from: 'main' });
  const { git } = testEnvironment.github.repository(repository);
  await git.git('update-ref', 'refs/keep/old', old);
  await git.git('update-ref', 'refs/heads/feature/x', 'refs/heads/other');
  const result = await testEnvironment.pullRequest(number, {
    action: '',
    inputs: { 'policy-from': 'head' },
    more: {
      event: {
        ...payload,
        pull_request: { ...payload.pull_request, head: { ...payload.pull_request.head, sha: old } },
      },
    },
  });
  expect([result.exitCode, result.outputs['outcome']]).toEqual([0, 'superseded']);
});

test('the message of an invalid input shows its name, but not its value', async () => {
  const result = await testEnvironment.pullRequest(number, {
    action: '',
    inputs: { 'fail-on': 'sometimes' },
  });
  expect([result.exitCode, result.annotations[0]?.message]).toEqual([
    2,
    expect.stringContaining('"fail-on" must be one of'),
  ]);
  expect(result.raw).not.toContain('sometimes');
});

test('a pushed branch is compared with its previous head', async () => {
  const before =
    (await testEnvironment.github.repository(repository).git.commit('refs/heads/feature/x')) ?? '';
  await testEnvironment.builder.commit('feature/x', { 'daily/more.orch.yaml': orchestration('more 1') });
  const result = await testEnvironment.push('refs/heads/feature/x', { action: '', as: 'reader' }, before);
  expect(result.annotations.map(({ file }) => file)).toEqual(['daily/more.orch.yaml']);
});

test('the error about a missing agent version lists the four places to set it', async () => {
  await testEnvironment.builder.commit('main', { 'millrace.yaml': 'version: 1\n' });
  const result = await testEnvironment.pullRequest(number, {
    action: '',
    inputs: { project: testEnvironment.platform.projectId },
  });
  expect([result.exitCode, result.annotations[0]?.title]).toEqual([2, 'Millrace: no-agent-version']);
});

testNoSecretLeaves(
  [
    { action: '', as: 'writer', reachable: true },
    { action: 'actions/pull-request', as: 'reader', reachable: false },
  ],
  () => ({ testEnvironment, number }),
);

describe('many violations', () => {
  beforeEach(async () => {
    await testEnvironment.builder.commit('feature/x', {
      'daily/load.orch.yaml': null,
      'many.tran.yaml': manyViolations(120),
    });
  });

  test.each([
    ['a step', ''],
    ['all steps of a composite action together', 'actions/pull-request'],
  ])(
    'stay within the ten annotations that GitHub keeps of %s, the last of which says how many more',
    async (_, action) => {
      const result = await testEnvironment.pullRequest(number, { action, as: 'reader' });
      expect([result.annotations.length, result.droppedAnnotations]).toEqual([10, 0]);
      expect(result.annotations.at(-1)?.message).toContain('111 more error findings');
      expect(result.outputs['errors']).toBe('120');
      expect(result.summary).toContain('bad 119');
    },
  );

  test('are all sent to the check run, fifty at a time', async () => {
    const result = await testEnvironment.pullRequest(number, { action: '' });
    const [check] = testEnvironment.github.repository(repository).checkRuns;
    expect([check?.annotations.length, check?.conclusion]).toEqual([120, 'failure']);
    const writes = testEnvironment.github.requests.filter(
      ({ method, path }) => method !== 'GET' && path.includes('/check-runs'),
    );
    expect(writes.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'PATCH']);
    expect(result.exitCode).toBe(1);
  });
});
