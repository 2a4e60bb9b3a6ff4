import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRunEnvironment, type ActionEnvironment } from '../action-environment.ts';

let testEnvironment: ActionEnvironment;

beforeEach(async () => {
  testEnvironment = await createRunEnvironment();
});
afterEach(() => testEnvironment[Symbol.asyncDispose]());

const inputs = { pipeline: 'daily/load', environment: 'dev' };
const run = (more: Readonly<Record<string, string>>) =>
  testEnvironment.push('refs/tags/v1.0.0', { action: 'actions/run', inputs: { ...inputs, ...more } });
const starts = () => testEnvironment.platform.ledger({ operation: 'executions.start' });

test('a run without a status until its time limit is indeterminate, and can be attached to', async () => {
  testEnvironment.platform.faults.set([{ operation: 'executions.get', status: 503 }]);
  const lost = await run({ timeout: '2s', 'on-timeout': 'detach' });
  expect([lost.exitCode, lost.outputs['outcome'], lost.outputs['finished']]).toEqual([
    4,
    'indeterminate',
    'true',
  ]);
  const id = lost.outputs['execution-id'] ?? '';
  expect(lost.outputs['tag']).toContain('/dev/');
  expect(lost.summary).toContain(`--attach ${id}`);
  expect(lost.log).not.toContain('Try again');

  testEnvironment.platform.faults.set([{ operation: 'executions.get', status: 503, times: 6 }]);
  const attached = await run({ attach: id, timeout: '5s' });
  expect([attached.exitCode, attached.outputs['execution-id']]).toEqual([1, id]);
  expect(attached.summary).toContain('The execution was terminated.');
  expect(starts()).toHaveLength(1);
});
