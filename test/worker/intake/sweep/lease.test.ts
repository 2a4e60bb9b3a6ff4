import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { readWorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { silentLogger } from '../../../../lib/core/ports/ports.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { createGitHubPort } from '../../../../lib/github/create-github-port.ts';
import { tokenAccess } from '../../../../lib/github/access/github-access.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createFailureLog } from '../../../../worker/telemetry/failure-log.ts';
import { createSweeper } from '../../../../worker/intake/sweep/create-sweeper.ts';
import { createDeletedRefs } from '../../../../worker/intake/sweep/deleted-refs.ts';
import { createLease } from '../../../../worker/intake/sweep/lease.ts';
import { createRefChain } from '../../../../worker/intake/ingest/ref-chain.ts';
import { createSweepState } from '../../../../worker/intake/sweep/sweep-state.ts';
import { manualClock } from '../../../environment/clock.ts';
import { testRedis } from '../../../environment/redis.ts';
import { eventually } from '../../../environment/worker/eventually.ts';
import { workerFile } from '../../../environment/worker/worker-environment.ts';

const redis = testRedis();
const name = (): string => `{l-${randomUUID().slice(0, 8)}}`;

test('a worker that died or froze during a sweep blocks others for one lease only', async () => {
  const [connection, key] = [redis.connect(), name()];
  // Its clock is frozen, so that it prolongs nothing; the time in Redis ends when the test ends it.
  const frozen = createLease(connection, key, 60_000, manualClock());
  const other = createLease(connection, key, 60_000, systemClock);
  const [thaw, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = frozen.runExclusive(() => thaw.promise);
  await eventually(() => connection.exists(key)).toBe(1);
  expect(await other.runExclusive(async () => 'in')).toBeUndefined();
  const left = await connection.pttl(key);
  expect(left > 0 && left <= 60_000).toBe(true);
  await connection.pexpire(key, 1);
  await eventually(() => other.runExclusive(async () => 'in')).toBe('in');
  const second = other.runExclusive(() => finish.promise);
  await eventually(() => connection.exists(key)).toBe(1);
  thaw.resolve();
  await first;
  expect(await frozen.runExclusive(async () => 'in')).toBeUndefined();
  finish.resolve();
  await second;
  expect(await frozen.runExclusive(async () => 'in')).toBe('in');
});

test('who lives keeps it for as long as its work takes', async () => {
  const [connection, key, clock] = [redis.connect(), name(), manualClock()];
  const finish = Promise.withResolvers<void>();
  const working = createLease(connection, key, 60_000, clock).runExclusive(() => finish.promise);
  await clock.asleep();
  await connection.pexpire(key, 30_000);
  await clock.advance(20_000);
  await eventually(() => connection.pttl(key)).toBeGreaterThan(30_000);
  finish.resolve();
  await working;
  expect(await connection.exists(key)).toBe(0);
});

test('of two sweeps that meet one asks for a delivery', async () => {
  const state = createSweepState(redis.connect(), keysUnder(name()), systemClock);
  const before = await state.redeliveryRequest('a');
  expect(await Promise.all([state.claim('a', before, 5), state.claim('a', before, 6)])).toEqual([
    true,
    false,
  ]);
  const after = await state.redeliveryRequest('a');
  expect(after).toEqual({ times: 1, at: 5 });
  expect(await state.claim('a', after, 9)).toBe(true);
  expect(await state.redeliveryRequest('a')).toEqual({ times: 2, at: 9 });
});

test('a sweep that is requested during another one stays requested', async () => {
  const [keys, connection, clock] = [keysUnder(name()), redis.connect(), manualClock()];
  const state = createSweepState(connection, keys, clock);
  const chain = createRefChain(connection, keys, clock);
  const gap = async (before: string, after: string): Promise<void> => {
    const push = { repositoryId: 77, ref: 'refs/heads/main', created: false, before, after };
    await chain.link(push);
    await clock.advance(1);
  };
  await gap('a', 'b');
  await gap('c', 'd');
  const sweepRequest = await state.sweepRequest();
  expect(sweepRequest).toBeDefined();
  await gap('e', 'f');
  await state.clearSweepRequest(sweepRequest);
  const later = await state.sweepRequest();
  expect(later).toBeDefined();
  await state.clearSweepRequest(later);
  expect(await state.sweepRequest()).toBeUndefined();
});

test('a loss while a sweep begins has it swept once more: what it was asked for then stays asked for', async () => {
  const [keys, connection, clock] = [keysUnder(name()), redis.connect(), manualClock()];
  const state = createSweepState(connection, keys, clock);
  await connection.set(keys.state, 'new-1');
  let swept = 0;
  const sweeper = createSweeper({
    config: { ...readWorkerConfig(workerFile(), 'worker.yaml'), repositories: [] },
    github: createGitHubPort({ apiUrl: 'http://127.0.0.1:1', access: tokenAccess(() => ''), clock }),
    chain: createRefChain(connection, keys, clock),
    deletedRefs: createDeletedRefs(connection, keys),
    state: {
      ...state,
      async recordsIdentity() {
        const era = await state.recordsIdentity();
        swept += 1;
        // Lost and found to be lost, right after the first sweep has looked whose records these are.
        if (swept === 1) await connection.mset(keys.state, 'lost-1', keys.sweepRequested, '1');
        return era;
      },
    },
    clock,
    logger: silentLogger,
    failures: createFailureLog(silentLogger, clock),
    settings: { sweepMs: 300_000 },
    accept: async () => undefined,
    onSwept: () => undefined,
    onRecovered: () => undefined,
  });
  for (let ticks = 0; ticks < 3; ticks += 1) await sweeper.tick();
  expect(swept).toBe(2);
});
