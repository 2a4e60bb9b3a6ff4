import { expect, test } from 'vitest';
import { createActionEnvironment } from '../action-environment.ts';

test('a review without an answer of the platform ends at the time limit of the input', async () => {
  await using testEnvironment = await createActionEnvironment();
  const { platform } = testEnvironment;
  platform.faults.set([{ operation: 'reviews.create', wire: 'silence' }]);
  const asked = () => platform.requests().counts['reviews.create'] ?? 0;
  // On a busy machine, the shortest limit passes before the action asks the platform.
  for (const timeout of ['2s', '8s', '32s']) {
    const inputs = { 'agent-version': '9.0.0', scope: 'all', timeout };
    const result = await testEnvironment.push('refs/heads/main', { action: 'actions/review', inputs });
    expect([result.exitCode, result.outputs['outcome']]).toEqual([3, 'error']);
    expect(result.log).toContain('within the time limit');
    if (asked() > 0) break;
  }
  expect(asked()).toBe(1);
});
