import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClient } from '../../client/index.ts';
import { defaultSeed, startPlatform } from '../../platform/index.ts';
import { millrace } from '../cli/millrace.ts';
import { tellingGit } from '../lib/git/telling-git.ts';
import { openScene, repository, type Scene } from './scene.ts';

let scene: Scene;

beforeEach(async () => {
  scene = await openScene();
  await scene.builder.tag('v1.0.0', 'main', 'first');
});
afterEach(() => scene[Symbol.asyncDispose]());

test('git starts without the secrets of the job, when it reads and when it fetches', async () => {
  const git = tellingGit(join(scene.folder, 'bin'));
  const env = {
    PATH: `${git.folder}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    MILLRACE_CLIENT_SECRET: 'canary-1',
    GITHUB_TOKEN: 'canary-2',
    ACTIONS_RUNTIME_TOKEN: 'canary-3',
    HOOK_SECRET: 'canary-4',
  };
  await scene.builder.commit('feature/x', { 'README.md': 'hello\n' }, { from: 'main' });
  const number = scene.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const review = await scene.pullRequest(number, { action: '', as: 'reader', more: { env } });
  const published = await scene.push('refs/tags/v1.0.0', { action: 'actions/publish', more: { env } });
  const drift = await scene.push('refs/tags/v1.0.0', { action: 'actions/drift', more: { env } });
  expect([review.exitCode, published.exitCode, drift.exitCode]).toEqual([0, 0, 0]);
  const told = git.environments();
  expect(told).toContain('HOME=');
  for (const secret of ['canary-', 'INPUT_', scene.platform.tokens.admin]) expect(told).not.toContain(secret);
});

test('git starts without the secrets of the shell, when the command line or the local platform reads', async () => {
  const git = tellingGit(join(scene.folder, 'bin'));
  const env = {
    PATH: `${git.folder}:${process.env['PATH'] ?? ''}`,
    MILLRACE_TOKEN: 'canary-1',
    MILLRACE_CLIENT_SECRET: 'canary-2',
    HOOK_SECRET: 'canary-3',
  };
  const folder = join(scene.folder, 'work');
  await scene.github.repository(repository).git.git('clone', '--quiet', scene.builder.path, folder);
  const reviewed = await millrace(['review', '--local', '--scope', 'all', '--working-directory', folder], {
    env,
  });
  expect([reviewed.code, git.environments()]).toEqual([0, expect.stringContaining('HOME=')]);
  const before = git.environments().length;

  const gitRoot = join(scene.folder, 'git');
  await using platform = await startPlatform({ gitRoot, environment: env, seed: defaultSeed });
  const { baseUrl, projectId, tokens } = platform;
  await using client = createClient({ baseUrl, auth: { token: tokens.admin } });
  const commitId = (await scene.github.repository(repository).git.commit('main')) ?? '';
  const pipelines = ['daily/load.orch.yaml'];
  await client.reviews.create({ projectId, branchName: 'main', commitId, pipelines, agentVersion: '9.0.0' });
  expect(git.environments().length).toBeGreaterThan(before);
  expect(git.environments()).not.toContain('canary-');
});
