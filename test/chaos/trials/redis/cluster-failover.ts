import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { connectRedis } from '../../../../lib/redis/connection/redis-connection.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createLaneStore } from '../../../../worker/app/lane-store.ts';
import { startRedisCluster } from '../../../environment/redis-cluster.ts';
import { release, toTest } from '../../../environment/worker/lanes-at-work.ts';
import { effectsOf, repeated } from '../../environment/effects.ts';
import { startRedisServer } from '../../environment/redis-server.ts';
import { createTrialEnvironment } from '../../environment/trial-environment.ts';
import { until } from '../../environment/until.ts';
import { mustHold, type Trial } from '../../trial.ts';

export const clusterFailover: Trial = {
  id: 'T28',
  title:
    'The master of a Redis Cluster that has the records is killed under load, and its replica takes over',
  criterion:
    'no promotion and no execution twice; each pushed version ends live and verified, or its lane is held and says so (`state-older` or an unknown outcome)',
  async run({ form, scale, random, log }) {
    const rounds = form === 'short' ? 1 : Math.max(3, Math.round(20 * scale));
    const counts = { failovers: 0, versions: 0, 'lanes held': 0 };
    // The environment wants a Redis of its own; nothing is in it.
    await using server = await startRedisServer();
    for (let round = 1; round <= rounds; round += 1) {
      await using env = await createTrialEnvironment(server, { lanes: toTest, watched: false });
      await using cluster = await startRedisCluster(`${env.services.prefix}:state`);
      const address = { kind: 'url', url: cluster.url } as const;
      const redis = connectRedis({ address, role: 'worker', name: 'chaos' });
      await using closing = new AsyncDisposableStack();
      closing.defer(() => redis.disconnect());
      const store = createLaneStore(redis, keysUnder(env.services.prefix), systemClock);
      const workers = [
        await env.start({}, address, { redisReplicas: 1 }),
        await env.start({}, address, { redisReplicas: 1 }),
      ];
      const send = async (version: string): Promise<void> => {
        await release(env.services, version);
        const delivery = await env.services.push(`refs/tags/${version}`);
        await until(`${version} is accepted`, async () => {
          for (const { url } of workers)
            if ([200, 202].includes((await env.send(url, delivery)) ?? 0)) return true;
          return false;
        });
      };
      await send('v1.0.0');
      await delay(random.below(1_500));
      await cluster.killMaster();
      counts.failovers += 1;
      await cluster.restart();
      await send('v1.1.0');
      await until(
        'v1.1.0 is verified, or its lane is held',
        async () => {
          const [id] = await store.laneIds();
          const lane = id === undefined ? undefined : await store.lane(id);
          const holds = lane?.holds ?? [];
          for (const { cause } of holds)
            mustHold(['state-older', 'indeterminate'].includes(cause), `the lane is held: ${cause}`);
          if (holds.length > 0) counts['lanes held'] += 1;
          return holds.length > 0 || lane?.verified?.version === 'v1.1.0';
        },
        120_000,
      );
      counts.versions += 2;
      const { promotions, executions } = effectsOf(env.services);
      mustHold(repeated(promotions).length === 0, `twice: ${repeated(promotions).join(', ')}`);
      mustHold(repeated(executions).length === 0, `twice: ${repeated(executions).join(', ')}`);
      log(`${round} of ${rounds}`);
    }
    return counts;
  },
};
