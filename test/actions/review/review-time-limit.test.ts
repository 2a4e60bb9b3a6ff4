import { expect, test } from 'vitest';
import { createActionEnvironment } from '../action-environment.ts';

test('a review without an answer of the platform ends at the time limit of the input', async () => {
  await using testEnvironment = await createActionEnvironment();
  testEnvironment.platform.faults.set([{ operation: 'reviews.create', wire: 'silence' }]);
  const inputs = { 'agent-version': '9.0.0', scope: 'all', timeout: '2s' };
  const result = await testEnvironment.push('refs/heads/main', { action: 'actions/review', inputs });
  expect([result.exitCode, result.outputs['outcome']]).toEqual([3, 'error']);
  expect(result.log).toContain('within the time limit');
  expect(testEnvironment.platform.requests().counts['reviews.create']).toBe(1);
});
