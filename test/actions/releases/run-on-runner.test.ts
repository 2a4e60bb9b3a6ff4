import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ActionEnvironment, createSharingEnvironment } from '../action-environment.ts';
import { warehouseFiles } from '../warehouse-files.ts';

const agent = '11111111-2222-4333-8444-555555555555';
let environment: ActionEnvironment;

beforeAll(async () => {
  environment = await createSharingEnvironment(warehouseFiles, {
    agents: { [agent]: { name: 'one', state: 'running' } },
  });
  await environment.builder.tag('v1.0.0', 'main', 'first');
  await environment.publish('v1.0.0', 'refs/tags/v1.0.0');
});
afterAll(() => environment[Symbol.asyncDispose]());

const runOn = async (action: 'pause' | 'stop') => {
  const answer = await fetch(`${environment.platform.baseUrl}/_platform/runners/${agent}/${action}`, {
    method: 'POST',
    headers: { 'x-millrace-platform': '1' },
  });
  expect(answer.ok).toBe(true);
  return environment.push('refs/tags/v1.0.0', {
    action: 'actions/run',
    inputs: { pipeline: 'daily/load', environment: 'dev', timeout: '1s' },
  });
};

test('the run action whose execution stays queued says so at its time limit, terminates it, and exits with 1', async () => {
  const { exitCode, outputs, log } = await runOn('pause');
  expect(log).toContain(
    'daily/load in dev was still queued at its time limit, because no runner of the platform started it (Waiting: the runner "one" is paused).',
  );
  expect(outputs).toMatchObject({
    outcome: 'failed',
    status: 'QUEUED',
    message: 'Waiting: the runner "one" is paused.',
  });
  expect(log).toContain('The execution was terminated.');
  expect(exitCode).toBe(1);
});

test('the run action that no runner may take says FORBIDDEN with the reason, and exits with 1', async () => {
  const { exitCode, outputs, log } = await runOn('stop');
  expect(log).toContain('daily/load in dev ended: FORBIDDEN.');
  expect(log).toContain('The platform says: The runner "one" is stopped, so it takes no execution.');
  expect(outputs).toMatchObject({ outcome: 'failed', status: 'FORBIDDEN' });
  expect(exitCode).toBe(1);
});
