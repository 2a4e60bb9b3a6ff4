import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClient } from '../../../client/index.ts';
import { defaultSeed } from '../../../platform/index.ts';
import {
  createSharingEnvironment,
  repository,
  type ActionRun,
  type ActionEnvironment,
} from '../action-environment.ts';

const definitions = `version: 1
variables:
  day: { type: TEXT, behaviour: SHARED, value: today }
  retries: { type: NUMBER, behaviour: COPIED, value: 3 }
`;
const values = 'version: 1\nenvironments:\n  prod:\n    day: tomorrow\n';
const action = 'actions/variables';
const files = 'variables.yaml\nenvironments/*.yaml';

let testEnvironment: ActionEnvironment;
beforeEach(async () => {
  const [project] = defaultSeed.projects ?? [];
  testEnvironment = await createSharingEnvironment(
    { 'variables.yaml': definitions, 'environments/prod.yaml': values },
    {
      projects: [
        {
          ...project,
          name: 'warehouse',
          environments: ['dev', 'test', { name: 'prod', defaultUserAccessLevel: 'readOnly' }],
        },
      ],
    },
  );
});
afterEach(() => testEnvironment[Symbol.asyncDispose]());

const given = (more: Partial<ActionRun> = {}): ActionRun => ({
  action,
  token: testEnvironment.platform.tokens.admin,
  ...more,
  inputs: { project: testEnvironment.platform.projectId, files, ...more.inputs },
});
const push = (more?: Partial<ActionRun>, ref = 'refs/heads/main') => testEnvironment.push(ref, given(more));
const pullRequest = async (changes: Record<string, string>, more?: Partial<ActionRun>) => {
  await testEnvironment.builder.commit('change', changes, { from: 'main' });
  const number = testEnvironment.github.openPull(repository, { head: 'change', base: 'main' });
  return testEnvironment.pullRequest(number, given(more));
};
const effects = () =>
  testEnvironment.platform.ledger().filter(({ operation }) => /^(variables|overrides)\./.test(operation));

async function platformValues(): Promise<Record<string, unknown>> {
  const { baseUrl, tokens, projectId } = testEnvironment.platform;
  await using client = createClient({ baseUrl, auth: { token: tokens.superAdmin } });
  const found: Record<string, unknown> = {};
  for await (const { name, value } of client.variables.list({ projectId })) found[name] = value;
  return found;
}

test('a pull request is planned: a table in the summary, counts in the outputs, and no changes', async () => {
  const plan = await pullRequest({ 'variables.yaml': definitions.replace('today', 'now') });
  expect([plan.exitCode, plan.outputs['outcome'], plan.outputs['mode']]).toEqual([0, 'passed', 'plan']);
  expect(plan.outputs).toMatchObject({ add: '3', change: '0', delete: '0', unmanaged: '0', failed: '0' });
  expect(plan.summary).toContain('3 to add, 0 to change, 0 to delete.');
  expect(plan.summary).toContain('| + | day |  |  | TEXT, SHARED, &#34;now&#34; |');
  expect(plan.summary).toContain('| + | day | prod |  | &#34;tomorrow&#34; |');
  expect(plan.log).toContain('Plan: + day in prod = "tomorrow"');
  expect(effects()).toEqual([]);

  const strict = await pullRequest({}, { inputs: { 'exit-code': 'true' } });
  expect([strict.exitCode, strict.outputs['outcome'], effects()]).toEqual([1, 'failed', []]);
});

test('with comment: auto one comment has the plan, is updated, and says when nothing is left to change', async () => {
  const inputs = { comment: 'auto' };
  const { github } = testEnvironment;
  const comments = () => github.repository(repository).comments;
  const secretValue = 'pass-of-the-warehouse';
  const changed = definitions.replace(
    '  retries',
    `  db_password: { type: TEXT, behaviour: SHARED, value: ${secretValue} }\n  retries`,
  );
  await testEnvironment.builder.commit('change', { 'variables.yaml': changed }, { from: 'main' });
  const number = github.openPull(repository, { head: 'change', base: 'main' });
  const refused = await testEnvironment.pullRequest(number, given({ inputs, as: 'reader' }));
  expect([refused.exitCode, refused.summary.includes('pull-requests&#58; write')]).toEqual([0, true]);
  const env = { RUNNER_DEBUG: '1' };
  const plan = await testEnvironment.pullRequest(number, given({ inputs, more: { env } }));
  expect([plan.exitCode, comments().length]).toEqual([0, 1]);
  expect(plan.outputs['comment-url']).toContain('http');
  expect(comments()[0]?.body).toContain('4 to add, 0 to change, 0 to delete.');
  expect(comments()[0]?.body).toContain('db&#95;password');
  for (const shown of [plan.raw, comments()[0]?.body ?? '']) expect(shown).not.toContain(secretValue);
  // Debug logging shows each request with its status and duration.
  const debug = plan.raw.split('\n').filter((line) => line.startsWith('::debug::'));
  expect(debug.find((line) => line.includes('GET http'))).toMatch(/"status":200,"ms":\d+/u);

  await push({ inputs: { mode: 'apply' } }, 'refs/heads/change');
  const after = await testEnvironment.pullRequest(number, given({ inputs }));
  expect([after.exitCode, after.raw.includes('::debug::'), comments().length]).toEqual([0, false, 1]);
  expect(comments()[0]?.body).toContain('The platform matches the files.');
});

test('the plan is for the merge commit: an outdated branch undoes nothing', async () => {
  await testEnvironment.builder.commit('change', { 'other.txt': 'x' }, { from: 'main' });
  await testEnvironment.builder.commit('main', { 'variables.yaml': definitions.replace('today', 'newer') });
  const plan = await pullRequest({ 'other.txt': 'y' });
  expect(plan.summary).toContain('&#34;newer&#34;');
});

test('a push to the default branch applies, a second one does nothing; any other push only plans', async () => {
  await testEnvironment.builder.commit('feature', { 'other.txt': 'x' }, { from: 'main' });
  const feature = await push({}, 'refs/heads/feature');
  expect([feature.exitCode, feature.outputs['mode'], effects()]).toEqual([0, 'plan', []]);
  expect(feature.summary).toContain('not to the default branch, main');

  const applied = await push();
  expect([applied.exitCode, applied.outputs['outcome'], applied.outputs['mode']]).toEqual([
    0,
    'passed',
    'apply',
  ]);
  expect(applied.summary).toContain('3 added, 0 changed, 0 deleted.');
  expect(await platformValues()).toEqual({ day: 'today', retries: 3 });
  const again = await push();
  expect([again.exitCode, again.outputs['outcome']]).toEqual([0, 'nothing-to-do']);
  expect(again.summary).toContain('The platform matches the files.');

  await testEnvironment.builder.commit('main', {
    'variables.yaml': definitions.replace(/ {2}retries.*\n/u, ''),
  });
  const kept = await push();
  expect([kept.outputs['unmanaged'], kept.outputs['delete']]).toEqual(['1', '0']);
  expect(kept.summary).toContain('| ? | retries |');
  const pruned = await push({ inputs: { prune: 'true' } });
  expect([pruned.outputs['delete'], await platformValues()]).toEqual(['1', { day: 'today' }]);
});

test('a value that the platform rejects fails the step on its line; the others are set', async () => {
  // The variables exist already: a member without the level admin in every environment cannot create them.
  const { baseUrl, tokens, projectId } = testEnvironment.platform;
  await using client = createClient({ baseUrl, auth: { token: tokens.superAdmin } });
  const day = { name: 'day', type: 'TEXT', behaviour: 'SHARED', value: 'today' } as const;
  const retries = { name: 'retries', type: 'NUMBER', behaviour: 'COPIED', value: 3 } as const;
  for (const variable of [day, retries]) await client.variables.create({ projectId, ...variable });
  const refused = await push({ token: testEnvironment.platform.tokens.member });
  // A member may not override in prod, whose access level is readOnly.
  expect([refused.exitCode, refused.outputs['outcome'], refused.outputs['failed']]).toEqual([
    1,
    'failed',
    '1',
  ]);
  expect(refused.annotations).toMatchObject([
    {
      level: 'error',
      file: 'environments/prod.yaml',
      line: 4,
      message: expect.stringContaining('No permission'),
    },
  ]);
  expect(await platformValues()).toEqual({ day: 'today', retries: 3 });
});

test.each([
  [
    { 'environments/prod.yaml': values.replace('tomorrow', '5') },
    'environments/prod.yaml',
    4,
    'does not fit its type',
  ],
  [
    { 'variables.yaml': definitions.replace('NUMBER', 'NUMER') },
    'variables.yaml',
    4,
    'did you mean "NUMBER"?',
  ],
  [
    { 'environments/prod.yaml': values.replace('prod:', 'prd:') },
    'environments/prod.yaml',
    3,
    'no environment "prd"',
  ],
] as const)(
  'an invalid file is annotated on its line, and nothing is sent: %j',
  async (change, file, line, words) => {
    await testEnvironment.builder.commit('main', change);
    const wrong = await push();
    expect([wrong.exitCode, wrong.outputs['outcome'], effects()]).toEqual([2, 'error', []]);
    expect(wrong.annotations).toMatchObject([
      { level: 'error', file, line, message: expect.stringContaining(words) },
    ]);
  },
);

test('a pattern without a matching file is refused with the pattern', async () => {
  const wrong = await push({ inputs: { files: 'variabels.yaml' } });
  expect([wrong.exitCode, wrong.annotations[0]?.message]).toEqual([
    2,
    expect.stringMatching(/^No file at [0-9a-f]{12} matches "variabels\.yaml"/u),
  ]);
});

test('a pull request of a fork has no secrets: its files are validated without the platform', async () => {
  const { builder, github } = testEnvironment;
  const { buildRepository } = await import('../../environment/github/bare-repository-builder.ts');
  const fork = await buildRepository(`${testEnvironment.folder}/git`, 'stranger/warehouse');
  await github
    .repository(repository)
    .git.git('push', '--quiet', fork.path, 'refs/heads/main:refs/heads/main');
  await fork.commit('patch', { 'variables.yaml': definitions.replace('today', 'never') }, { from: 'main' });
  const number = github.openPull(repository, {
    head: 'patch',
    base: 'main',
    headRepository: 'stranger/warehouse',
  });
  const skipped = await testEnvironment.pullRequest(number, given({ token: '' }));
  expect([skipped.exitCode, skipped.outputs['outcome']]).toEqual([0, 'skipped-fork']);
  const apply = await testEnvironment.pullRequest(number, given({ inputs: { mode: 'apply' } }));
  expect([apply.exitCode, apply.annotations[0]?.message, effects()]).toEqual([
    2,
    expect.stringContaining('A pull request of a fork cannot change variables.'),
    [],
  ]);
  await fork.commit('patch', { 'variables.yaml': definitions.replace('TEXT', 'TXT') });
  const wrong = await testEnvironment.pullRequest(number, given({ token: '' }));
  expect([wrong.exitCode, wrong.annotations[0]?.line]).toEqual([2, 3]);
  expect(builder.path).not.toBe(fork.path);
});

test('foreign text in names and values starts no command, breaks no table and mentions no user', async () => {
  const evil = '::error::x | <b>@octocat</b> ##[group]y';
  await testEnvironment.builder.commit('main', {
    'variables.yaml': `version: 1\nvariables:\n  "${evil}": { type: TEXT, behaviour: SHARED, value: "${evil}\\n::warning::z" }\n`,
  });
  const plan = await push({ inputs: { mode: 'plan', files: 'variables.yaml' } });
  expect([plan.exitCode, plan.outputs['add'], plan.annotations, plan.errors]).toEqual([0, '1', [], []]);
  const row = plan.summary.split('\n').find((line) => line.startsWith('| + |'));
  expect(row?.split('|')).toHaveLength(7);
  for (const bad of ['<b>', '@octocat', '##[group]']) expect(plan.summary).not.toContain(bad);
  expect(plan.raw).not.toMatch(/^::(?:error|warning)::[xz]/mu);
});
