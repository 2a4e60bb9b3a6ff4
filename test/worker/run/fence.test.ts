import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../client/index.ts';
import { readWorkerConfig } from '../../../config/read-worker-config.ts';
import { silentLogger } from '../../../model/ports.ts';
import { systemClock } from '../../../model/system-clock.ts';
import type { Engine } from '../../../worker/run/engine.ts';
import { openEngine } from '../../../worker/run/open-engine.ts';
import { takeTurn } from '../../../worker/run/take-turn.ts';
import { FencedOff } from '../../../worker/run/turn.ts';
import { defaultSettings } from '../../../worker/settings.ts';
import { testRedis } from '../../redis.ts';
import { toTest, release } from '../lanes-at-work.ts';
import {
  projectId,
  repositoryId,
  repositoryName,
  surroundings,
  type Surroundings,
  workerFile,
} from '../surroundings.ts';
import { openWire, type Wire } from '../wire.ts';

const redis = testRedis();

/** A worker's inside without its queues' workers: turns are taken by the test alone. */
function engineOn(around: Surroundings, wire: Wire): Engine {
  const engine = openEngine({
    config: readWorkerConfig(workerFile(), 'worker.yaml'),
    redis: redis.connect(),
    settings: { ...defaultSettings, prefix: around.prefix, pollScale: 0.05 },
    clock: systemClock,
    random: Math.random,
    logger: silentLogger,
    createClientFor: (_, middlewares) =>
      createClient({ baseUrl: wire.baseUrl, auth: { token: around.platform.tokens.admin }, middlewares }),
    onError: () => undefined,
  });
  onTestFinished(() => engine.close());
  return engine;
}

async function acceptedRun(around: Surroundings, { store }: Engine): Promise<string> {
  const commit = await release(around, 'v1.0.0');
  await store.accept({
    runId: 'r1',
    order: 'differs',
    head: { field: 'refs/tags/v1.0.0', value: commit },
    plan: {
      repository: { id: repositoryId, fullName: repositoryName },
      ref: 'refs/tags/v1.0.0',
      commit,
      delivery: 'd',
      version: { kind: 'named', name: 'v1.0.0' },
      lane: {
        name: 'to-test',
        id: 'lane',
        project: projectId,
        credential: 'platform',
        from: 'dev',
        to: 'test',
        policy: 'latest',
        verify: [],
        onFailure: 'hold',
        gates: { approvals: 0, soak: 0, freeze: [] },
        next: [],
      },
    },
  });
  return 'r1';
}

test('a worker that hung while another took its run over promotes nothing when it comes to', async () => {
  const around = await surroundings({ lanes: toTest });
  const slowWire = await openWire(around.platform.baseUrl);
  onTestFinished(async () => {
    await slowWire[Symbol.asyncDispose]();
    await around[Symbol.asyncDispose]();
  });
  const first = engineOn(around, slowWire);
  const second = engineOn(around, around.wire);
  const id = await acceptedRun(around, first);

  const hanging = Promise.withResolvers<void>();
  const wake = Promise.withResolvers<void>();
  slowWire.interfere(async ({ path }) => {
    // It has decided to look at the target, finds the version absent, and then hangs.
    if (path.includes('environmentName=test')) {
      hanging.resolve();
      await wake.promise;
    }
    return undefined;
  });
  // Nobody tells it that it has lost its lock: the fence alone must do.
  const woken = takeTurn(id, first, new AbortController().signal);
  await hanging.promise;
  // The look at the target is answered as of now: before the second worker's promotion.
  const turn = await second.store.begin((await second.store.run(id)) ?? expect.unreachable());
  expect(turn).toHaveProperty('key');
  wake.resolve();
  await expect(woken).rejects.toBeInstanceOf(FencedOff);
  expect(slowWire.count('POST', '/artifacts/promotions')).toBe(0);

  expect(await takeTurn(id, second, new AbortController().signal)).toBeUndefined();
  expect(await second.store.run(id)).toMatchObject({ state: 'finished', outcome: 'passed' });
  expect(around.wire.count('POST', '/artifacts/promotions')).toBe(1);
});

test('a turn that comes after the run is over does nothing', async () => {
  const around = await surroundings({ lanes: toTest });
  onTestFinished(() => around[Symbol.asyncDispose]());
  const engine = engineOn(around, around.wire);
  const id = await acceptedRun(around, engine);
  await takeTurn(id, engine, new AbortController().signal);
  const calls = around.wire.calls.length;
  expect(await takeTurn(id, engine, new AbortController().signal)).toBeUndefined();
  expect(await takeTurn('unknown', engine, new AbortController().signal)).toBeUndefined();
  expect(around.wire.calls.length).toBe(calls);
});
