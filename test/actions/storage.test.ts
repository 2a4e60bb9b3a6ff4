import { afterEach, beforeEach, expect, test } from 'vitest';
import { createActionEnvironment, repository, type ActionEnvironment } from './action-environment.ts';
import { orchestration } from './warehouse-files.ts';

let testEnvironment: ActionEnvironment;
beforeEach(async () => {
  testEnvironment = await createActionEnvironment();
});
afterEach(() => testEnvironment[Symbol.asyncDispose]());

test('a report that cannot be written fails the step with a message, and does not hide the verdict', async () => {
  // No user, not even root, can create a folder below a file.
  const env = { RUNNER_TEMP: '/dev/null/nowhere' };
  const sha = (await testEnvironment.github.repository(repository).git.commit('refs/heads/main')) ?? '';
  const event = { name: 'workflow_dispatch', payload: {}, ref: 'refs/heads/main', sha };
  const passed = await testEnvironment.event(event, { action: '', more: { env } });
  expect([passed.exitCode, passed.annotations[0]?.title]).toEqual([3, 'Millrace: storage-failed']);

  await testEnvironment.builder.commit(
    'feature/x',
    { 'daily/load.orch.yaml': orchestration('load 1') },
    { from: 'main' },
  );
  const number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const failed = await testEnvironment.pullRequest(number, { action: '', more: { env } });
  expect([failed.exitCode, failed.annotations[0]?.title]).toEqual([1, 'Millrace: storage-failed']);
});

test('every finding is in the log, even if a check run shows them', async () => {
  await testEnvironment.builder.commit(
    'feature/x',
    { 'daily/load.orch.yaml': orchestration('load ::error::1') },
    { from: 'main' },
  );
  const number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const result = await testEnvironment.pullRequest(number, { action: '' });
  expect(result.log).toMatch(/^error daily\/load\.orch\.yaml:10:5 component-naming-convention/mu);
  expect(result.annotations).toEqual([]);
});
