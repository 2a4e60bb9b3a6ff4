import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClient } from '../../client/index.ts';
import { defaultSeed, startPlatform } from '../../platform/index.ts';
import { millrace } from '../cli/millrace.ts';
import { recordingGit } from '../lib/git/recording-git.ts';
import { createActionEnvironment, repository, type ActionEnvironment } from './action-environment.ts';

let testEnvironment: ActionEnvironment;

beforeEach(async () => {
  testEnvironment = await createActionEnvironment();
  await testEnvironment.builder.tag('v1.0.0', 'main', 'first');
});
afterEach(() => testEnvironment[Symbol.asyncDispose]());

test('git starts without the secrets of the job, when it reads and when it fetches', async () => {
  const git = recordingGit(join(testEnvironment.folder, 'bin'));
  const env = {
    PATH: `${git.folder}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    MILLRACE_CLIENT_SECRET: 'canary-1',
    GITHUB_TOKEN: 'canary-2',
    ACTIONS_RUNTIME_TOKEN: 'canary-3',
    HOOK_SECRET: 'canary-4',
  };
  await testEnvironment.builder.commit('feature/x', { 'README.md': 'hello\n' }, { from: 'main' });
  const number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const review = await testEnvironment.pullRequest(number, { action: '', as: 'reader', more: { env } });
  const published = await testEnvironment.push('refs/tags/v1.0.0', {
    action: 'actions/publish',
    more: { env },
  });
  const drift = await testEnvironment.push('refs/tags/v1.0.0', { action: 'actions/drift', more: { env } });
  expect([review.exitCode, published.exitCode, drift.exitCode]).toEqual([0, 0, 0]);
  const environments = git.environments();
  expect(environments).toContain('HOME=');
  for (const secret of ['canary-', 'INPUT_', testEnvironment.platform.tokens.admin])
    expect(environments).not.toContain(secret);
});

test('git starts without the secrets of the shell, when the command line or the local platform reads', async () => {
  const git = recordingGit(join(testEnvironment.folder, 'bin'));
  const env = {
    PATH: `${git.folder}:${process.env['PATH'] ?? ''}`,
    MILLRACE_TOKEN: 'canary-1',
    MILLRACE_CLIENT_SECRET: 'canary-2',
    HOOK_SECRET: 'canary-3',
  };
  const folder = join(testEnvironment.folder, 'work');
  await testEnvironment.github
    .repository(repository)
    .git.git('clone', '--quiet', testEnvironment.builder.path, folder);
  const reviewed = await millrace(['review', '--local', '--scope', 'all', '--working-directory', folder], {
    env,
  });
  expect([reviewed.code, git.environments()]).toEqual([0, expect.stringContaining('HOME=')]);
  const before = git.environments().length;

  const gitRoot = join(testEnvironment.folder, 'git');
  await using platform = await startPlatform({ gitRoot, environment: env, seed: defaultSeed });
  const { baseUrl, projectId, tokens } = platform;
  await using client = createClient({ baseUrl, auth: { token: tokens.admin } });
  const commitId = (await testEnvironment.github.repository(repository).git.commit('main')) ?? '';
  const pipelines = ['daily/load.orch.yaml'];
  await client.reviews.create({ projectId, branchName: 'main', commitId, pipelines, agentVersion: '9.0.0' });
  expect(git.environments().length).toBeGreaterThan(before);
  expect(git.environments()).not.toContain('canary-');
});
