import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../../lib/core/system-clock.ts';
import { keysUnder } from '../../../worker/store/keys.ts';
import { createLaneStore } from '../../../worker/store/lane-store.ts';
import { toTest, release } from '../../environment/worker/lanes-at-work.ts';
import { startRedisProxy } from '../../environment/redis-proxy.ts';
import { effectsOf, repeated } from '../environment/effects.ts';
import { type RedisServer, startRedisServer } from '../environment/redis-server.ts';
import { createTrialEnvironment } from '../environment/trial-environment.ts';
import { until } from '../environment/until.ts';
import { mustHold, type Trial } from '../trial.ts';

export const replacedRedis: Trial = {
  id: 'T27',
  title:
    'One name leads to another Redis under load, and the open connections stay with the former master, which is read-only now',
  criterion:
    'the newest pushed version ends live and verified, no lane is held, no promotion and no execution happens twice, and no worker is restarted',
  async run({ form, scale, random, log }) {
    const rounds = form === 'short' ? 1 : Math.max(3, Math.round(20 * scale));
    await using first = await startRedisServer();
    await using second = await startRedisServer();
    await using proxy = await startRedisProxy(first.socket);
    await using env = await createTrialEnvironment(first, { lanes: toTest, watched: false });
    const worker = await env.start({}, proxy.address);
    let [now, next]: [RedisServer, RedisServer] = [first, second];
    let refused = 0;

    async function send(version: string): Promise<void> {
      await release(env.services, version);
      const delivery = await env.services.push(`refs/tags/${version}`);
      await until(`${version} is accepted`, async () => {
        const status = (await env.send(worker.url, delivery)) ?? 0;
        if (status === 503) refused += 1;
        return [200, 202].includes(status);
      });
    }

    for (let round = 1; round <= rounds; round += 1) {
      await send(`v1.${round}.0`);
      await delay(random.below(1_000));
      await now.redis.replicaof('127.0.0.1', 1);
      await next.redis.replicaof('NO', 'ONE');
      await next.redis.flushall();
      for (const key of await now.redis.keys('*')) {
        const dump: Buffer | null = await now.redis.dumpBuffer(key);
        // It may have expired since.
        if (dump !== null) await next.redis.restore(key, Math.max(0, await now.redis.pttl(key)), dump);
      }
      proxy.lead(next.socket);
      [now, next] = [next, now];
      await send(`v1.${round}.1`);
      const store = createLaneStore(now.redis, keysUnder(env.services.prefix), systemClock);
      await until(`v1.${round}.1 is verified`, async () => {
        const [id] = await store.laneIds();
        const lane = id === undefined ? undefined : await store.lane(id);
        for (const { cause } of lane?.holds ?? []) mustHold(false, `the lane is held: ${cause}`);
        return lane?.verified?.version === `v1.${round}.1`;
      });
      const { promotions, executions } = effectsOf(env.services);
      mustHold(repeated(promotions).length === 0, `twice: ${repeated(promotions).join(', ')}`);
      mustHold(repeated(executions).length === 0, `twice: ${repeated(executions).join(', ')}`);
      mustHold(worker.alive, 'the worker ended');
      log(`${round} of ${rounds}`);
    }
    return { rounds, versions: 2 * rounds, 'answered 503': refused };
  },
};
