import { expect, onTestFinished, test, vi } from 'vitest';
import type { Middleware } from '../../../client/index.ts';
import type { PromotionLane } from '../../../worker/records/promotion-task.ts';
import { advancePromotion } from '../../../worker/promotion/advance-promotion.ts';
import { testRedis } from '../../environment/redis.ts';
import { slow, toTest } from '../../environment/worker/lanes-at-work.ts';
import { createWorkerEnvironment } from '../../environment/worker/worker-environment.ts';
import { acceptedPromotion, portsOn } from './ports-on.ts';

const redis = testRedis();
const here = new AbortController().signal;
const minute = 60_000;

const verified: Partial<PromotionLane> = {
  verify: [{ pipeline: 'daily/load', variables: {}, timeout: 5 * minute }],
  onFailure: 'rollback',
};

interface StubResponse {
  readonly status: number;
  readonly text: string;
}

/** A promotion that watches an execution which never ends; `answers` intercepts the answers of the platform. */
async function createTestEnvironment(
  answers: (method: string) => StubResponse | undefined,
  lane: Partial<PromotionLane> = {},
) {
  const env = await createWorkerEnvironment({ lanes: toTest, seed: slow(86_400_000) });
  onTestFinished(() => env[Symbol.asyncDispose]());
  let terminations = 0;
  const between: Middleware = async (request, next) => {
    const ofExecution = request.url.includes('/pipeline-executions/');
    if (ofExecution && request.method === 'PATCH') terminations += 1;
    const response = ofExecution ? answers(request.method) : undefined;
    if (response === undefined) return next(request);
    return { kind: 'answered', answer: { ...response, headers: { 'content-type': 'application/json' } } };
  };
  const real = portsOn(redis, env, env.wire, [between]);
  let now = Date.now();
  const ports = {
    ...real,
    clock: { ...real.clock, now: () => now },
    random: () => 0.5,
    settings: { ...real.settings, pollScale: 4 },
  };
  const id = await acceptedPromotion(env, ports, { ...verified, ...lane });
  const startedAt = now;
  return {
    env,
    ports,
    id,
    terminations: () => terminations,
    /** Takes turn after turn, each when it is due; gives the minutes until the promotion was over. */
    async untilOver(): Promise<number> {
      for (let advances = 0; advances < 400; advances += 1) {
        const wait = await advancePromotion(id, ports, here);
        if (wait === undefined) return (now - startedAt) / minute;
        now += wait;
      }
      throw new Error(`not over after ${(now - startedAt) / minute} minutes`);
    },
  };
}

const no = { status: 403, text: JSON.stringify({ message: 'not yours to end' }) };
const refusesTheEnd = (method: string) => (method === 'PATCH' ? no : undefined);

test('a termination that is always refused ends the promotion as indeterminate and holds the lane', async () => {
  const { ports, id, untilOver, terminations } = await createTestEnvironment(refusesTheEnd);
  const took = await untilOver();
  expect(took).toBeGreaterThan(14);
  expect(took).toBeLessThan(19);
  const promotion = await ports.store.promotion(id);
  expect(promotion).toMatchObject({ outcome: 'indeterminate' });
  const reason = (await ports.store.lane('lane'))?.holds[0]?.reason;
  expect(reason).toBe(promotion?.message);
  expect(reason).toMatch(/^execution \S+ of daily\/load does not end: daily\/load did not end in time;/);
  expect(reason).toContain('the platform refused to terminate it: ');
  expect(reason).toContain('not yours to end');
  expect(terminations()).toBeGreaterThan(5);
});

test('an execution that was terminated and does not end is waited for as long, and asked to end once', async () => {
  const taken = { status: 200, text: JSON.stringify({ pipelineExecutionId: 'e1' }) };
  const { ports, id, untilOver, terminations } = await createTestEnvironment((method) =>
    method === 'PATCH' ? taken : undefined,
  );
  expect(await untilOver()).toBeGreaterThan(14);
  const promotion = await ports.store.promotion(id);
  expect(promotion).toMatchObject({ outcome: 'indeterminate' });
  expect(promotion?.message).toMatch(
    /does not end: daily\/load did not end in time; the worker asked the platform to terminate it$/,
  );
  expect(terminations()).toBe(1);
});

const missing = { status: 404, text: JSON.stringify({ error: 'no such execution', status: 404 }) };

test('an execution that is not found for a moment is watched on', async () => {
  let polls = 0;
  const { ports, id } = await createTestEnvironment((method) => {
    if (method !== 'GET') return undefined;
    polls += 1;
    return polls <= 2 ? missing : undefined;
  });
  for (let advances = 0; advances < 40; advances += 1) {
    await advancePromotion(id, ports, here);
    if (polls >= 4) break;
  }
  expect(polls).toBeGreaterThanOrEqual(4);
  expect((await ports.store.promotion(id))?.outcome).toBeUndefined();
});

test('an execution that is not found for minutes on end is indeterminate', async () => {
  const { ports, id, untilOver } = await createTestEnvironment((method) =>
    method === 'GET' ? missing : undefined,
  );
  expect(await untilOver()).toBeGreaterThan(4);
  const promotion = await ports.store.promotion(id);
  expect(promotion).toMatchObject({ outcome: 'indeterminate' });
  expect(promotion?.message).toContain('no longer knows execution');
});

test('a cancelled promotion whose termination is refused ends at the step limit', async () => {
  const { ports, id, untilOver } = await createTestEnvironment(refusesTheEnd, {
    limits: { step: 2 * minute },
  });
  await advancePromotion(id, ports, here);
  await ports.store.cancel(id, 'ada');
  expect(await untilOver()).toBeLessThan(4);
  const promotion = await ports.store.promotion(id);
  expect(promotion).toMatchObject({ outcome: 'indeterminate' });
  expect(promotion?.message).toContain(
    'does not end: cancelled by ada; the platform refused to terminate it: ',
  );
});

test('an execution that can be neither polled nor terminated is indeterminate, with a message', async () => {
  const { ports, id, untilOver } = await createTestEnvironment(() => no);
  expect(await untilOver()).toBeLessThan(19);
  const promotion = await ports.store.promotion(id);
  expect(promotion).toMatchObject({ outcome: 'indeterminate' });
  expect(promotion?.message).toMatch(
    /^the worker does not know whether execution \S+ of daily\/load has ended: /,
  );
});

const result = (status: string, message: string) => ({
  status: 200,
  text: JSON.stringify({ result: { status, message, startedAt: null, finishedAt: null } }),
});

test('an execution that stays queued until its time limit is cancelled, and its version is not rolled back', async () => {
  let isCancelled = false;
  const { ports, env, id, untilOver } = await createTestEnvironment((method) => {
    if (method === 'GET')
      return isCancelled ? result('CANCELLED', '') : result('QUEUED', 'The runner is paused.');
    isCancelled = true;
    return { status: 200, text: JSON.stringify({ pipelineExecutionId: 'e1' }) };
  });
  expect(await untilOver()).toBeLessThan(10);
  expect(await ports.store.promotion(id)).toMatchObject({
    outcome: 'error',
    message:
      'daily/load was still queued at its time limit, because no runner of the platform started it (The runner is paused); it never ran in test',
  });
  expect((await ports.store.lane('lane'))?.holds[0]).toMatchObject({ cause: 'stuck' });
  expect(env.platform.ledger({ effect: 'disabled' })).toEqual([]);
});

test('an execution that the platform forbids holds the lane, and its version is not rolled back', async () => {
  const { ports, env, id, untilOver } = await createTestEnvironment((method) =>
    method === 'GET' ? result('FORBIDDEN', 'The runner is stopped.') : undefined,
  );
  await untilOver();
  expect(await ports.store.promotion(id)).toMatchObject({
    outcome: 'error',
    message: 'daily/load ended FORBIDDEN: The runner is stopped; it never ran in test',
  });
  expect(env.platform.ledger({ effect: 'disabled' })).toEqual([]);
});

test('an execution took as long as the platform says', async () => {
  const times = { startedAt: '2031-01-31T10:00:00Z', finishedAt: '2031-01-31T10:01:30Z' };
  const ended = { status: 200, text: JSON.stringify({ result: { status: 'SUCCESS', ...times } }) };
  const { ports, untilOver } = await createTestEnvironment((method) =>
    method === 'GET' ? ended : undefined,
  );
  const record = vi.spyOn(ports.durations, 'record');
  await untilOver();
  expect(record).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ pipeline: 'daily/load' }), 90_000);
});
