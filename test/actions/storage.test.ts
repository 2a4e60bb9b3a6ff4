import { afterEach, beforeEach, expect, test } from 'vitest';
import { openScene, repository, type Scene } from './scene.ts';
import { orchestration } from './warehouse-files.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene[Symbol.asyncDispose]());

test('a report that cannot be written fails the step with a message, and does not hide the verdict', async () => {
  // A folder under a file can be made by nobody, root included.
  const env = { RUNNER_TEMP: '/dev/null/nowhere' };
  const sha = (await scene.github.repository(repository).git.commit('refs/heads/main')) ?? '';
  const event = { name: 'workflow_dispatch', payload: {}, ref: 'refs/heads/main', sha };
  const passed = await scene.event(event, { action: '', more: { env } });
  expect([passed.exitCode, passed.annotations[0]?.title]).toEqual([3, 'Millrace: storage-failed']);

  await scene.builder.commit(
    'feature/x',
    { 'daily/load.orch.yaml': orchestration('load 1') },
    { from: 'main' },
  );
  const number = scene.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const failed = await scene.pullRequest(number, { action: '', more: { env } });
  expect([failed.exitCode, failed.annotations[0]?.title]).toEqual([1, 'Millrace: storage-failed']);
});

test('every finding is in the log, even if a check run shows them', async () => {
  await scene.builder.commit(
    'feature/x',
    { 'daily/load.orch.yaml': orchestration('load ::error::1') },
    { from: 'main' },
  );
  const number = scene.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const result = await scene.pullRequest(number, { action: '' });
  expect(result.log).toMatch(/^error daily\/load\.orch\.yaml:10:5 component-naming-convention/mu);
  expect(result.annotations).toEqual([]);
});
