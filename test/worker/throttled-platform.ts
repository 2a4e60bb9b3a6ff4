import { setImmediate as advance } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Middleware } from '../../client/index.ts';
import { RateLimited } from '../../worker/rate-limit/rate-limited.ts';
import { startWorker } from '../../worker/app/start-worker.ts';
import { testRedis } from '../environment/redis.ts';
import { ended, pushed, release, slow, toTest } from '../environment/worker/lanes-at-work.ts';
import { createWorkerEnvironment } from '../environment/worker/worker-environment.ts';

const redis = testRedis();

/** Two lanes that look at their executions at the same time. */
const side = toTest.replace('name: to-test', 'name: direct').replace('to: test', 'to: prod');

/** Watches both sides of a worker's rate limit. */
function watchRateLimit(status: number) {
  /** When each request left. */
  const left: number[] = [];
  let refused = false;
  let noted: number | undefined;
  const behind: Middleware = async (request, next) => {
    left.push(Date.now());
    const end = await next(request);
    if (end.kind === 'answered' && end.answer.status === status) refused = true;
    return end;
  };
  const before: Middleware = async (request, next) => {
    try {
      return await next(request);
    } catch (error) {
      if (refused && noted === undefined && error instanceof RateLimited) {
        // A request that was let through before the rate limit was known is on its way then.
        await advance();
        noted ??= left.length;
      }
      throw error;
    }
  };
  return {
    env: (rateLimit: readonly Middleware[]) => [before, ...rateLimit, behind],
    since: () => left.slice(noted),
  };
}

/** Declares the test for an answer with this status. */
export function testThrottledPlatform(status: 429 | 503): void {
  test(`after a ${status} to one poll no promotion calls the platform until its retry-after ends, and none fails`, async () => {
    const env = await createWorkerEnvironment({ lanes: `${toTest}${side}`, seed: slow(4_000) });
    const options = env.options(redis);
    const rateLimit = watchRateLimit(status);
    const worker = await startWorker({
      ...options,
      createClientFor: (credential, middlewares, config) =>
        options.createClientFor(credential, rateLimit.env(middlewares), config),
    });
    onTestFinished(async () => {
      await worker.close();
      await env[Symbol.asyncDispose]();
    });
    await release(env, 'v1.0.0');
    env.platform.faults.set([
      { operation: 'executions.get', nth: 4, status, headers: { 'retry-after': '2' } },
    ]);
    await pushed(env, worker, 'v1.0.0');
    expect(await ended(worker, 'to-test', 'v1.0.0')).toMatchObject({ outcome: 'passed' });
    expect(await ended(worker, 'direct', 'v1.0.0')).toMatchObject({ outcome: 'passed' });

    const log = env.platform.requests().requests;
    const refused = Date.parse(log.find((request) => request.status === status)?.at ?? '');
    const until = Number(await redis.connect().hget(`${env.prefix}:rate-limit:platform`, 'blocked'));
    expect(until - refused).toBeGreaterThanOrEqual(2_000);
    const since = rateLimit.since();
    expect(since.length).toBeGreaterThan(0);
    expect(since.filter((at) => at < until)).toEqual([]);
    expect(env.wire.count('POST', '/pipeline-executions')).toBe(2);
  });
}
