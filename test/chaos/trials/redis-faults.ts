import { setTimeout as delay } from 'node:timers/promises';
import { toTest } from '../../environment/worker/lanes-at-work.ts';
import { branchesAsked, flood, type Offered, offerOne } from '../stage/flood.ts';
import { type RedisServer, startRedisServer } from '../stage/redis-server.ts';
import { type Scene, setScene } from '../stage/scene.ts';
import { until } from '../stage/until.ts';
import { mustHold, type Trial } from '../trial.ts';

interface Trouble {
  readonly name: string;
  begin(server: RedisServer, scene: Scene): Promise<unknown>;
  end(server: RedisServer, scene: Scene): Promise<unknown>;
}

const troubles: readonly Trouble[] = [
  {
    name: 'frozen',
    begin: async (server) => server.signal('SIGSTOP'),
    end: async (server) => server.signal('SIGCONT'),
  },
  {
    name: 'unreachable',
    begin: async (_, { redisLine }) => redisLine.cut(),
    end: async (_, { redisLine }) => redisLine.mend(),
  },
  {
    name: 'out of memory',
    begin: (server) => server.redis.config('SET', 'maxmemory', '1'),
    end: (server) => server.redis.config('SET', 'maxmemory', '0'),
  },
  {
    name: 'read-only after a failover',
    // A replica of a master that never answers takes no writes.
    begin: (server) => server.redis.replicaof('127.0.0.1', '1'),
    end: (server) => server.redis.replicaof('NO', 'ONE'),
  },
];

export const redisTrouble: Trial = {
  id: 'T5',
  title: 'Redis frozen, unreachable, out of memory, read-only after a failover',
  criterion:
    'a webhook is answered 503 in under 2.5 s, nothing is acknowledged and lost, and the worker takes pushes again by itself',
  async run({ form, scale, say }) {
    const lasting = (name: string): number => {
      if (form === 'long') return Math.round(30_000 * Math.min(1, scale));
      // A frozen Redis is found out only when the time is up.
      return name === 'frozen' ? 2_600 : 500;
    };
    await using server = await startRedisServer();
    await using scene = await setScene(server, { lanes: toTest });
    const worker = await scene.start();
    const offered: Offered[] = [];
    const refusals: Offered[] = [];
    for (const trouble of troubles) {
      let going = true;
      await trouble.begin(server, scene);
      const name = trouble.name.replaceAll(' ', '-');
      const flooding = flood(scene, worker, name, () => going, 2);
      await delay(lasting(trouble.name));
      going = false;
      const during = await flooding;
      await trouble.end(server, scene);
      const refused = during.filter(({ status }) => status === 503);
      mustHold(refused.length > 0, `${trouble.name}: nothing was answered 503`);
      mustHold(
        during.every(({ status }) => status === 503 || status === 202),
        `${trouble.name}: answered ${during.map(({ status }) => status).join(' ')}`,
      );
      refusals.push(...refused);
      offered.push(...during);
      await until(`a push is taken after: ${trouble.name}`, async () => {
        const one = await offerOne(scene, worker, `after-${name}-${Date.now()}`);
        offered.push(one);
        return one.status === 202;
      });
      say(`${trouble.name}: ${refused.length} times 503`);
    }
    // Of a busy machine both ends wait for a core: that is not the worker's doing.
    const slowest = Math.max(...refusals.map(({ ms, waitedMs }) => ms - waitedMs));
    mustHold(slowest < (form === 'short' ? 10_000 : 2_500), `503 took ${Math.round(slowest)} ms`);
    const acknowledged = offered.filter(({ status }) => status === 202);
    await until('every acknowledged push is taken in', () => {
      const asked = branchesAsked(scene);
      return acknowledged.every(({ branch }) => asked.has(branch));
    });
    return {
      troubles: troubles.length,
      'answered 503': offered.length - acknowledged.length,
      'slowest 503, ms': Math.round(slowest),
      'the same with waits for a core, ms': Math.round(Math.max(...refusals.map(({ ms }) => ms))),
      acknowledged: acknowledged.length,
      lost: 0,
    };
  },
};
