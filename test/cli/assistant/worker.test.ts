import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { testRedis } from '../../environment/redis.ts';
import {
  createTestEnvironment,
  ended,
  pushed,
  release,
  toTest,
} from '../../environment/worker/lanes-at-work.ts';
import { projectId, workerToken } from '../../environment/worker/worker-environment.ts';
import { startAssistant } from './assistant.ts';

const redis = testRedis();

test('lanes, promotions and executions return what the worker and the platform show', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: toTest });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  await using assistant = await startAssistant(tmpdir(), {
    MILLRACE_WORKER_URL: worker.url,
    MILLRACE_WORKER_TOKEN: workerToken,
    MILLRACE_BASE_URL: env.platform.baseUrl,
    MILLRACE_TOKEN: env.platform.tokens.admin,
    MILLRACE_PROJECT_ID: projectId,
  });

  const lanes = await assistant.call('lanes');
  expect(lanes.json).toMatchObject({ lanes: [{ name: 'to-test', verified: { version: 'v1.0.0' } }] });
  expect((await assistant.call('lanes', { lane: 'to-test' })).json).toMatchObject({ name: 'to-test' });
  const newest = await assistant.call('promotions', { limit: 1 });
  expect(newest.json).toMatchObject({ promotions: [{ version: 'v1.0.0', outcome: 'passed' }] });
  const [{ id } = { id: '' }] = newest.json['promotions'] as { id: string }[];
  const whole = await assistant.call('promotions', { promotion: id });
  expect(whole.json).toMatchObject({ id, version: 'v1.0.0' });
  const [, execution = ''] = /"executionId":"([^"]+)"/.exec(whole.text) ?? [];
  expect((await assistant.call('executions', { execution })).json).toMatchObject({
    result: { status: 'SUCCESS' },
  });
  const unknown = await assistant.call('executions', { execution: 'never-there' });
  expect(unknown).toMatchObject({ isError: true });
  expect(unknown.text).toMatch(/ {2}how to fix: .+\n {2}code: [a-z-]+$/);
});
