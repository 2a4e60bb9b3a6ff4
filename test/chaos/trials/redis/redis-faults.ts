import { setTimeout as delay } from 'node:timers/promises';
import { toTest } from '../../../environment/worker/lanes-at-work.ts';
import { branchesAsked, flood, type Offered, offerOne } from '../../environment/flood.ts';
import { type RedisServer, startRedisServer } from '../../environment/redis-server.ts';
import { type TrialEnvironment, createTrialEnvironment } from '../../environment/trial-environment.ts';
import { until } from '../../environment/until.ts';
import { mustHold, type Trial } from '../../trial.ts';

interface RedisFault {
  readonly name: string;
  start(server: RedisServer, env: TrialEnvironment): Promise<unknown>;
  end(server: RedisServer, env: TrialEnvironment): Promise<unknown>;
}

const faults: readonly RedisFault[] = [
  {
    name: 'frozen',
    start: async (server) => server.signal('SIGSTOP'),
    end: async (server) => server.signal('SIGCONT'),
  },
  {
    name: 'unreachable',
    start: async (_, { redisLine }) => redisLine.cut(),
    end: async (_, { redisLine }) => redisLine.restore(),
  },
  {
    name: 'out of memory',
    start: (server) => server.redis.config('SET', 'maxmemory', '1'),
    end: (server) => server.redis.config('SET', 'maxmemory', '0'),
  },
  {
    name: 'read-only after a failover',
    // A replica of a master that never answers takes no writes.
    start: (server) => server.redis.replicaof('127.0.0.1', '1'),
    end: (server) => server.redis.replicaof('NO', 'ONE'),
  },
];

export const redisFaults: Trial = {
  id: 'T5',
  title: 'Redis frozen, unreachable, out of memory, read-only after a failover',
  criterion:
    'a webhook is answered 503 in under 2.5 s, no acknowledged webhook is lost, and the worker accepts pushes again without help',
  async run({ form, scale, log }) {
    const lasting = (name: string): number => {
      if (form === 'long') return Math.round(30_000 * Math.min(1, scale));
      // Only the time limit reveals a frozen Redis.
      return name === 'frozen' ? 2_600 : 500;
    };
    await using server = await startRedisServer();
    await using env = await createTrialEnvironment(server, { lanes: toTest });
    const worker = await env.start();
    const offered: Offered[] = [];
    const refusals: Offered[] = [];
    for (const fault of faults) {
      let going = true;
      await fault.start(server, env);
      const name = fault.name.replaceAll(' ', '-');
      const flooding = flood(env, worker, name, () => going, 2);
      await delay(lasting(fault.name));
      going = false;
      const during = await flooding;
      await fault.end(server, env);
      const refused = during.filter(({ status }) => status === 503);
      mustHold(refused.length > 0, `${fault.name}: nothing was answered 503`);
      mustHold(
        during.every(({ status }) => status === 503 || status === 202),
        `${fault.name}: answered ${during.map(({ status }) => status).join(' ')}`,
      );
      refusals.push(...refused);
      offered.push(...during);
      await until(`a push is accepted after: ${fault.name}`, async () => {
        const one = await offerOne(env, worker, `after-${name}-${Date.now()}`);
        offered.push(one);
        return one.status === 202;
      });
      log(`${fault.name}: ${refused.length} times 503`);
    }
    // On a busy machine both sides wait for a core, which says nothing about the worker.
    const slowest = Math.max(...refusals.map(({ ms, waitedMs }) => ms - waitedMs));
    mustHold(slowest < (form === 'short' ? 10_000 : 2_500), `503 took ${Math.round(slowest)} ms`);
    const acknowledged = offered.filter(({ status }) => status === 202);
    await until('every acknowledged push is ingested', () => {
      const asked = branchesAsked(env);
      return acknowledged.every(({ branch }) => asked.has(branch));
    });
    return {
      faults: faults.length,
      'answered 503': offered.length - acknowledged.length,
      'slowest 503, ms': Math.round(slowest),
      'slowest 503 including waits for a CPU core, ms': Math.round(Math.max(...refusals.map(({ ms }) => ms))),
      acknowledged: acknowledged.length,
      lost: 0,
    };
  },
};
