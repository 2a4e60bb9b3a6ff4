import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRunEnvironment, type ActionEnvironment } from '../action-environment.ts';

let testEnvironment: ActionEnvironment;

beforeEach(async () => {
  testEnvironment = await createRunEnvironment();
});
afterEach(() => testEnvironment[Symbol.asyncDispose]());

const inputs = { pipeline: 'daily/load', environment: 'dev' };
const starts = () => testEnvironment.platform.ledger({ operation: 'executions.start' });

test('a cancel during an unanswered start is indeterminate and keeps the tag as output', async () => {
  testEnvironment.platform.faults.set([{ operation: 'executions.start', wire: 'silence', processed: true }]);
  const cancel = new AbortController();
  const running = testEnvironment.push('refs/tags/v1.0.0', {
    action: 'actions/run',
    inputs,
    more: { signal: cancel.signal },
  });
  await expect.poll(() => starts().length).toBe(1);
  cancel.abort();
  const result = await running;
  expect(result.exitCode).toBe(4);
  expect(result.outputs['outcome']).toBe('indeterminate');
  expect(result.outputs['tag']).toContain('/dev/');
  expect(result.log).toContain(result.outputs['tag'] ?? 'no tag');
});
