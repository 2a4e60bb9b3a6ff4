import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { connectRedis } from '../../../../lib/redis/connection/redis-connection.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createLaneStore, type LaneStore } from '../../../../worker/app/lane-store.ts';
import { startRedisGroup } from '../../../environment/redis-group.ts';
import { openBareRepository } from '../../../../local-github/git/bare-repository.ts';
import { toTest } from '../../../environment/worker/lanes-at-work.ts';
import { askWorker, type Delivery } from '../../../environment/worker/worker-environment.ts';
import { layTags } from '../../environment/create-tags.ts';
import { effectsOf, repeated } from '../../environment/effects.ts';
import { promotionsIn, releaseAll } from '../../environment/promotions-in.ts';
import { startRedisServer } from '../../environment/redis-server.ts';
import { createTrialEnvironment, type TrialEnvironment } from '../../environment/trial-environment.ts';
import { until, untilReached } from '../../environment/until.ts';
import type { WorkerProcess } from '../../environment/worker-process.ts';
import { type Counts, mustHold, type Trial } from '../../trial.ts';

const fullMinutes = 60;
const minutesBetweenFailovers = 5;

/** Taken every minute. */
interface Sample {
  /** Of the worker that is never killed, in MB. */
  readonly memory: number;
  readonly keys: number;
  readonly redisMemory: number;
  readonly promotions: number;
}

export const soak: Trial = {
  id: 'T25',
  title:
    'A push each second to two workers; every minute one of them is killed, every five minutes the master of three Redis processes',
  criterion:
    'no promotion and no execution twice; each acknowledged push has a promotion; the last version ends live and verified; Redis gets fewer than 15 keys for each promotion; in a run of at least 30 minutes, the memory of the worker that is never killed grows by less than 20 % in the second half',
  waits: true,
  async run({ scale, form, log }) {
    const minutes = form === 'short' ? 1 : Math.max(2, Math.round(fullMinutes * scale));
    await using group = await startRedisGroup({ downAfterMs: 1_000 });
    // The environment wants a Redis of its own; nothing is in it.
    await using server = await startRedisServer();
    await using env = await createTrialEnvironment(server, { lanes: toTest, watched: false });
    const address = { kind: 'url', url: group.url } as const;
    await using closing = new AsyncDisposableStack();
    const redis = connectRedis({ address, role: 'worker', name: 'chaos' });
    closing.defer(() => redis.disconnect());
    const store = createLaneStore(redis, keysUnder(env.services.prefix), systemClock);
    const begin = () => env.start({}, address, { redisReplicas: 1 });
    const workers: [WorkerProcess, WorkerProcess] = [await begin(), await begin()];
    const names = Array.from({ length: minutes * 60 }, (_, i) => `v1.${Math.floor(i / 60)}.${i % 60}`);
    const commits = await layTags(env.services.repository.path, names);
    const bare = openBareRepository(env.services.repository.path, process.env);
    // Each comes when it is pushed: a sweep would find it before.
    await bare.git('tag', '--delete', ...names);

    const counts = {
      pushes: 0,
      'sent again': 0,
      kills: 0,
      failovers: 0,
      'starts that failed': 0,
      'lanes resumed': 0,
    };
    const sender = createSender({ ...env, store }, workers, counts);
    const samples: Sample[] = [];
    let disturbance: Promise<void> = Promise.resolve();
    for (const [second, name] of names.entries()) {
      const startedAt = Date.now();
      const commit = commits.get(name) ?? '';
      await bare.git('update-ref', `refs/tags/${name}`, commit);
      await sender.push(name, commit);
      if (second % 60 === 29) {
        await disturbance;
        const isFailover = Math.floor(second / 60) % minutesBetweenFailovers === minutesBetweenFailovers - 1;
        disturbance = disturb(isFailover);
      }
      if (second % 60 === 59) {
        samples.push(await sample(workers[0], redis, store));
        counts['lanes resumed'] += await resume({ ...env, store }, workers[0]);
        log(`${samples.length} minutes: ${JSON.stringify({ ...samples.at(-1), ...counts })}`);
      }
      await delay(Math.max(0, 1_000 - (Date.now() - startedAt)));
    }
    await disturbance;
    await sender.finish();
    await untilReached('every promotion is over', async () => {
      counts['lanes resumed'] += await resume({ ...env, store }, workers[0]);
      const open = await store.openIds();
      return open.length === 0 || `${open.length} open`;
    });
    return {
      minutes,
      ...counts,
      ...(await verify({ ...env, store }, sender.acknowledged)),
      ...levelsOf(samples),
    };

    async function disturb(isFailover: boolean): Promise<void> {
      workers[1].signal('SIGKILL');
      counts.kills += 1;
      if (isFailover) {
        await group.killMaster();
        await group.restart();
        counts.failovers += 1;
      }
      workers[1] = await begin().catch(() => {
        // As a supervisor starts it again.
        counts['starts that failed'] += 1;
        return begin();
      });
    }
  },
};

type Counted = Record<
  'pushes' | 'sent again' | 'kills' | 'failovers' | 'starts that failed' | 'lanes resumed',
  number
>;

/** Sends pushes to the workers in turn, and again those that were not acknowledged, as GitHub does when it is asked to. */
function createSender(env: TrialEnvironment, workers: readonly WorkerProcess[], counts: Counted) {
  const waiting = new Map<string, Delivery>();
  const acknowledged = new Set<string>();
  async function offer(name: string, delivery: Delivery): Promise<boolean> {
    const url = workers[counts.pushes % 2]?.url ?? '';
    const status = await env.send(url, delivery);
    const isTaken = status === 200 || status === 202;
    if (isTaken) {
      waiting.delete(name);
      acknowledged.add(name);
    }
    return isTaken;
  }
  return {
    acknowledged,
    async push(name: string, commit: string): Promise<void> {
      await env.services.publish(name, commit);
      for (const [old, delivery] of waiting) {
        counts['sent again'] += 1;
        if (!(await offer(old, delivery))) break;
      }
      const delivery = await env.services.push(`refs/tags/${name}`);
      counts.pushes += 1;
      waiting.set(name, delivery);
      await offer(name, delivery);
    },
    finish: () =>
      until('every push is acknowledged', async () => {
        for (const [name, delivery] of waiting) await offer(name, delivery);
        return waiting.size === 0;
      }),
  };
}

/** As an operator: resumes held lanes. What was open when an older state came back is cancelled first. Gives their number. */
async function resume(env: TrialEnvironment, worker: WorkerProcess): Promise<number> {
  for (const id of await env.store.laneIds()) {
    const holds = (await env.store.lane(id))?.holds ?? [];
    if (!holds.some(({ cause }) => cause === 'state-older')) continue;
    for (const open of await env.store.openIds()) await env.store.cancel(open, 'chaos');
  }
  return releaseAll(env, (path, body) => askWorker(worker.url, path, body));
}

async function sample(worker: WorkerProcess, redis: Redis, store: LaneStore): Promise<Sample> {
  // Without its garbage: V8 lets that grow for half an hour before it collects it.
  worker.signal('SIGWINCH');
  await delay(500);
  const status = readFileSync(`/proc/${worker.pid}/status`, 'utf8');
  const info = await redis.info('memory');
  return {
    memory: Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024),
    keys: await redis.dbsize(),
    redisMemory: Math.round(Number(/^used_memory:(\d+)/m.exec(info)?.[1]) / 1024 / 1024),
    promotions: (await store.promotionIds(100_000)).length,
  };
}

/** How memory and keys grew in the second half. */
function levelsOf(samples: readonly Sample[]): Counts {
  const late = samples.slice(Math.floor(samples.length / 2));
  const half = Math.ceil(late.length / 2);
  const [before, after] = [late.slice(0, half), late.slice(-half)].map((list) =>
    medianOf(list.map((one) => one.memory)),
  );
  const [first, last] = [late[0], late.at(-1)];
  if (before === undefined || after === undefined || first === undefined || last === undefined) return {};
  // In a few minutes, the garbage collector decides.
  const isLong = samples.length >= 30;
  mustHold(!isLong || after < 1.2 * before, `the memory of the worker grew from ${before} to ${after} MB`);
  const promotions = last.promotions - first.promotions;
  const keys = last.keys - first.keys;
  mustHold(keys < 15 * promotions + 100, `${keys} keys for ${promotions} promotions`);
  return {
    'memory of the worker, third quarter, MB': before,
    'last quarter, MB': after,
    'keys in Redis for each promotion': promotions === 0 ? 0 : (keys / promotions).toFixed(1),
    'memory of Redis at the end, MB': last.redisMemory,
  };
}

const medianOf = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

async function verify(env: TrialEnvironment, acknowledged: ReadonlySet<string>): Promise<Counts> {
  const promotions = await promotionsIn(env);
  const known = new Set(promotions.map(({ task }) => task.ref.replace('refs/tags/', '')));
  const lost = [...acknowledged].filter((name) => !known.has(name));
  mustHold(lost.length === 0, `acknowledged, and without a promotion: ${lost.join(', ')}`);
  const effects = effectsOf(env.services);
  for (const list of [effects.promotions, effects.executions])
    mustHold(repeated(list).length === 0, `twice: ${repeated(list).join(', ')}`);
  const newest = [...acknowledged].at(-1);
  const [id = ''] = await env.store.laneIds();
  const live = (await env.store.lane(id))?.verified?.version;
  mustHold(live === newest, `${live ?? 'nothing'} is verified, not ${newest ?? 'nothing'}`);
  const outcomes = Map.groupBy(promotions, ({ outcome }) => outcome ?? 'none');
  return {
    promotions: promotions.length,
    ...Object.fromEntries([...outcomes].map(([outcome, list]) => [outcome, list.length])),
  };
}
