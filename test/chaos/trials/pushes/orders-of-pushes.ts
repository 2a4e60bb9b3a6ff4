import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { LaneRecord } from '../../../../worker/store/lanes/lane-record.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { type Delivery, repositoryId } from '../../../environment/worker/worker-environment.ts';
import { type RedisServer, startRedisServer } from '../../environment/redis-server.ts';
import { promotionsIn, untilQuiet } from '../../environment/promotions-in.ts';
import { type TrialEnvironment, createTrialEnvironment } from '../../environment/trial-environment.ts';
import type { Seeded } from '../../environment/seeded.ts';
import { until } from '../../environment/until.ts';
import { mustHold, type Trial, type TrialContext } from '../../trial.ts';

const git = promisify(execFile);

const lanes = `
  - name: to-test
    on: { push: { branches: [main] } }
    from: dev
    to: test
    version: commit
    on-failure: hold
`;

/** A push moves the branch, and gives what GitHub would tell of it. */
type Move = (env: TrialEnvironment, name: string, past: readonly string[]) => Promise<void>;

const moveTo = async ({ services }: TrialEnvironment, commit: string): Promise<void> => {
  await git('git', ['--git-dir', services.repository.path, 'update-ref', 'refs/heads/main', commit]);
};
const commitOn: Move = async (env, name) => {
  const commit = await env.services.repository.commit('main', { 'notes.txt': name });
  await env.services.publish(name, commit);
};
const moves: readonly Move[] = [
  commitOn,
  commitOn,
  // Another line, from where the branch was three pushes ago.
  async (env, name, past) => {
    await moveTo(env, past.at(-3) ?? past[0] ?? '');
    await commitOn(env, name, past);
  },
  // Back to an older commit, which has its artifact.
  async (env, _, past) => moveTo(env, past.at(-2) ?? past[0] ?? ''),
  // Gone and made again, from an older commit.
  async (env, name, past) => {
    await git('git', ['--git-dir', env.services.repository.path, 'update-ref', '-d', 'refs/heads/main']);
    await moveTo(env, past.at(-2) ?? past[0] ?? '');
    await commitOn(env, name, past);
  },
];

const orders = permutations(moves.length);

export const ordersOfPushes: Trial = {
  id: 'T7',
  title:
    'Five pushes in every order, delivered in every order: commits, a force-push, a reset, a branch deleted and created again, some deliveries lost',
  criterion:
    'the version of the head is live in the end, in any order of deliveries, or a version that was live before the branch was reset, which is built from a descendant of the head (promise 21); a gap starts a sweep within 5 s',
  async run(context) {
    const { form, scale, random } = context;
    const rounds = form === 'short' ? 2 : Math.max(4, Math.round(orders.length * scale));
    // At full length every order of the pushes comes once, and so does every order of their deliveries.
    const [happens, delivered] = [shuffled(orders, random), shuffled(orders, random)];
    const tasks = Array.from({ length: rounds }, (_, i): Round => {
      const n = i % orders.length;
      const lost = random.next() < 0.5 ? random.below(4) : undefined;
      return {
        name: `r${i + 1}`,
        happens: happens[n] ?? [],
        delivered: delivered[n] ?? [],
        lost,
        late: random.next() < 0.5,
      };
    });
    const chains = form === 'short' ? 1 : 3;
    await using server = await startRedisServer();
    const results = await Promise.all(
      Array.from({ length: chains }, (_, chain) =>
        walk(
          server,
          tasks.filter((__, i) => i % chains === chain),
          context,
        ),
      ),
    );
    const sum = (of: (result: Result) => number): number =>
      results.reduce((total, result) => total + of(result), 0);
    const slowest = Math.max(...results.map(({ slowestMs }) => slowestMs));
    // How busy the machine is, is not the worker's doing; the short form sees only that it is looked.
    mustHold(form === 'short' || slowest < 5_000, `a gap was looked after in ${slowest} ms`);
    return {
      rounds,
      pushes: 5 * rounds,
      'deliveries lost': tasks.filter(({ lost }) => lost !== undefined).length,
      gaps: sum(({ gaps }) => gaps),
      'slowest sweep after a gap, s': (slowest / 1000).toFixed(1),
      promotions: sum(({ promotions }) => promotions),
      'resets after their newer version was live': sum(({ superseded }) => superseded),
    };
  },
};

interface Round {
  readonly name: string;
  /** Which of the moves comes when. */
  readonly happens: readonly number[];
  /** The order in which the pushes are delivered; numbers as they happened. */
  readonly delivered: readonly number[];
  /** Never delivered. Never the last one: the sweep finds that, and has a trial of its own. */
  readonly lost: number | undefined;
  /** Delivered after all pushes; else as early as the order allows. */
  readonly late: boolean;
}

interface Result {
  readonly gaps: number;
  readonly slowestMs: number;
  readonly promotions: number;
  readonly superseded: number;
}

/** One branch, one worker, one round after the other. */
async function walk(server: RedisServer, tasks: readonly Round[], { log }: TrialContext): Promise<Result> {
  await using env = await createTrialEnvironment(server, { lanes });
  // Only a gap starts a sweep in this trial. Where a lost push leaves it open which of two pushes was the last one, the
  // worker waits longer than any replica of GitHub lags; the replicas here do not lag.
  const worker = await env.start({ sweepMs: 3_600_000, headWaitMs: 10_000 });
  const sweeps: number[] = [];
  env.watch(({ line, label, phase }) => {
    // The look at all repositories, with which each sweep begins.
    if (line === 'github' && phase === 'before' && label.endsWith('/graphql')) sweeps.push(Date.now());
    return 'pass';
  });
  const past = [await env.services.repository.commit('main', { 'notes.txt': 'begin' })];
  await env.services.publish('begin', past[0] ?? '');
  const versions = new Map([[past[0] ?? '', 'begin']]);
  const sweptAfter = new Map<number, number>();
  let superseded = 0;
  for (const task of tasks) {
    const { wanted, isLive } = await oneRound(env, worker.url, task, { past, versions });
    if (!isLive) superseded += 1;
    for (const at of await gapsOf(env)) {
      if (sweptAfter.has(at)) continue;
      await until(`${task.name}: a gap starts a sweep`, () => sweeps.some((swept) => swept >= at));
      sweptAfter.set(at, (sweeps.find((swept) => swept >= at) ?? 0) - at);
    }
    log(`${task.name}: ${wanted} is ${isLive ? 'live' : 'superseded by the version before the reset'}`);
  }
  await untilQuiet(env);
  return {
    gaps: sweptAfter.size,
    slowestMs: Math.max(0, ...sweptAfter.values()),
    promotions: (await promotionsIn(env)).length,
    superseded,
  };
}

interface Memory {
  readonly past: string[];
  readonly versions: Map<string, string>;
}

/** Gives the version of the head, and whether it is live in the end, and not a newer one. */
async function oneRound(
  env: TrialEnvironment,
  url: string,
  { name, happens, delivered, lost, late }: Round,
  { past, versions }: Memory,
): Promise<{ readonly wanted: string; readonly isLive: boolean }> {
  const deliveries: Delivery[] = [];
  const undelivered = delivered.filter((i) => i !== lost);
  const tell = async (): Promise<void> => {
    for (let next = undelivered[0]; next !== undefined; next = undelivered[0]) {
      const delivery = deliveries[next];
      if (delivery === undefined) return;
      undelivered.shift();
      mustHold((await env.send(url, delivery)) !== undefined, `${name}: a delivery was not answered`);
    }
  };
  for (const [i, move] of happens.entries()) {
    const version = `${name}-${i}`;
    const before = past.at(-1) ?? '';
    await moves[move]?.(env, version, past);
    const head = await headOf(env);
    past.push(head);
    if (!versions.has(head)) versions.set(head, version);
    deliveries.push(await env.services.push('refs/heads/main', before));
    if (!late) await tell();
  }
  await tell();
  const head = await headOf(env);
  const wanted = versions.get(head) ?? '';
  let isLive = false;
  await until(`${name}: ${wanted} is live, or a newer version`, async () => {
    const [id = ''] = await env.store.laneIds();
    const lane = await env.store.lane(id);
    if (lane === undefined || lane.active !== undefined) return false;
    isLive = lane.verified?.version === wanted;
    return isLive || (await isSuperseded(env, head, lane));
  }).catch(async (error: unknown) => {
    const [id = ''] = await env.store.laneIds();
    const task = JSON.stringify({ happens, delivered, lost, late });
    throw new Error(`${String(error)}; ${task}; ${JSON.stringify(await env.store.lane(id))}`, {
      cause: error,
    });
  });
  const there = await env.services.versions('test');
  mustHold(!isLive || there.includes(wanted), `${name}: ${wanted} is not in test`);
  return { wanted, isLive };
}

/** Whether the branch was reset from the version that is live: then its head is superseded. */
async function isSuperseded(
  { store, services }: TrialEnvironment,
  head: string,
  { lastPromotion, verified, waiting }: LaneRecord,
): Promise<boolean> {
  const last = lastPromotion === undefined ? undefined : await store.promotion(lastPromotion);
  if (waiting.length > 0 || last?.task.commit !== head || last.outcome !== 'superseded') return false;
  return git('git', [
    '--git-dir',
    services.repository.path,
    'merge-base',
    '--is-ancestor',
    head,
    verified?.commit ?? '',
  ]).then(
    () => true,
    () => false,
  );
}

const chainRecord = z.object({ gaps: z.array(z.object({ at: z.number() })).default([]) });

/** When the worker noticed that pushes are missing; those that came late since are not among them. */
async function gapsOf({ server, services }: TrialEnvironment): Promise<readonly number[]> {
  const text = await server.redis.hget(keysUnder(services.prefix).chain(repositoryId), 'refs/heads/main');
  return text === null ? [] : chainRecord.parse(JSON.parse(text)).gaps.map(({ at }) => at);
}

/** All orders of `count` things. */
function permutations(count: number): readonly (readonly number[])[] {
  if (count === 0) return [[]];
  return permutations(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_, at) => order.toSpliced(at, 0, count - 1)),
  );
}

function shuffled<T>(list: readonly T[], random: Seeded): readonly T[] {
  return list
    .map((one) => ({ one, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

async function headOf({ services }: TrialEnvironment): Promise<string> {
  const { stdout } = await git('git', [
    '--git-dir',
    services.repository.path,
    'rev-parse',
    'refs/heads/main',
  ]);
  return stdout.trim();
}
