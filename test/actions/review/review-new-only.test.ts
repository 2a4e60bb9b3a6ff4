import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSharingEnvironment, repository, type ActionEnvironment } from '../action-environment.ts';
import { manyViolations } from '../warehouse-files.ts';

const inputs = { 'new-only': 'true', local: 'true' };
let testEnvironment: ActionEnvironment;
beforeEach(async () => {
  testEnvironment = await createSharingEnvironment();
  await testEnvironment.builder.commit('main', { 'many.tran.yaml': manyViolations(2) });
});
afterEach(() => testEnvironment[Symbol.asyncDispose]());

const openPull = async (changes: Record<string, string | null>) => {
  await testEnvironment.builder.commit('feature/x', changes, { from: 'main' });
  return testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
};

test('new-only counts only problems that the merge base does not have, in a shallow check-out', async () => {
  await testEnvironment.builder.commit('main', { 'old.tran.yaml': manyViolations(1) });
  const number = await openPull({ 'old.tran.yaml': null, 'moved.tran.yaml': manyViolations(1) });
  // The base no longer has the problems; the pull request did not bring them.
  await testEnvironment.builder.commit('main', { 'many.tran.yaml': null });
  const run = { action: '', as: 'writer', inputs: { ...inputs, scope: 'all' } } as const;
  const moved = await testEnvironment.pullRequest(number, run);
  expect([moved.exitCode, moved.outputs['errors'], moved.annotations]).toEqual([0, '0', []]);
  expect(moved.summary).toContain('3 findings are also in the base and do not count.');

  await testEnvironment.builder.commit('feature/x', { 'moved.tran.yaml': manyViolations(2) });
  const more = await testEnvironment.pullRequest(number, run);
  expect([more.exitCode, more.outputs['errors']]).toEqual([1, '1']);
  const body = testEnvironment.github.repository(repository).comments[0]?.body ?? '';
  expect(body).toContain('3 findings are also in the base and do not count.');
  expect(body).not.toContain('in the baseline');
});

test('new-only compares with the base where GitHub does not tell the merge base, and says so', async () => {
  const number = await openPull({ 'many.tran.yaml': manyViolations(3) });
  const result = await testEnvironment.pullRequest(number, { action: '', as: 'blind', inputs });
  expect([result.exitCode, result.outputs['errors']]).toEqual([1, '1']);
  expect(result.summary).toContain('does not reach the merge base');
});

test('new-only on an event without a base counts every problem, and says so', async () => {
  const sha = (await testEnvironment.github.repository(repository).git.commit('refs/heads/main')) ?? '';
  const event = { name: 'workflow_dispatch', payload: {}, ref: 'refs/heads/main', sha };
  const result = await testEnvironment.event(event, { action: '', inputs });
  expect([result.exitCode, result.outputs['errors']]).toEqual([1, '2']);
  expect(result.summary).toContain('The event has no base');
});

test('new-only fails if the base cannot be read', async () => {
  await openPull({ 'many.tran.yaml': manyViolations(2) });
  const missing = '0123456789012345678901234567890123456789';
  const result = await testEnvironment.push('refs/heads/feature/x', { action: '', inputs }, missing);
  expect([result.exitCode, result.outputs['outcome']]).toEqual([2, 'error']);
  expect(result.summary).toContain('is not in the checked-out repository');
});
