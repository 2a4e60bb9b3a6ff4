import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { delivery, repositoryId, repositoryName } from '../../../environment/worker/worker-environment.ts';
import { layTags } from '../../environment/create-tags.ts';
import { effectsOf, repeated } from '../../environment/effects.ts';
import { type Inbox, openInbox } from '../../environment/inbox.ts';
import { promotionsIn } from '../../environment/promotions-in.ts';
import { startRedisServer } from '../../environment/redis-server.ts';
import { createReplicas, type Replicas } from '../../environment/replicas.ts';
import { createTrialEnvironment, type TrialEnvironment } from '../../environment/trial-environment.ts';
import { until, untilReached } from '../../environment/until.ts';
import { startWorkerPool, type WorkerPool } from '../../environment/worker-pool.ts';
import { mustHold, type Trial, type TrialContext } from '../../trial.ts';

const lane = (name: string, on: string, to: string, rest: string): string =>
  `  - { name: ${name}, on: { push: ${on} }, from: dev, to: ${to}, on-failure: hold, ${rest} }\n`;
// Each lane has an environment of its own: in a shared one, a newer version of another lane supersedes an older one.
const lanes =
  lane('every', '{ tags: ["ve-*"] }', 'test', 'policy: every') +
  lane('latest', '{ tags: ["vl-*"] }', 'test-latest', 'policy: latest') +
  lane('head', '{ branches: [main] }', 'prod', 'policy: latest, version: commit');
const targets = ['test', 'test-latest', 'prod'];

interface Size {
  /** Of each kind: tags of two lanes, heads of the branch. */
  readonly pushes: number;
  readonly kills: number;
  readonly maxLagMs: number;
  /** Longer than the lag. */
  readonly headWaitMs: number;
}

const sizes: Readonly<Record<TrialContext['form'], Size>> = {
  short: { pushes: 6, kills: 2, maxLagMs: 2_500, headWaitMs: 5_000 },
  long: { pushes: 30, kills: 12, maxLagMs: 20_000, headWaitMs: 32_000 },
};

interface Push {
  readonly kind: 'every' | 'latest' | 'head';
  readonly ref: string;
  readonly before: string;
  readonly commit: string;
  /** No replica ever shows it. */
  readonly isHidden: boolean;
  readonly digest: string;
}

const none = '0'.repeat(40);

export const laggingGitHub: Trial = {
  id: 'T19',
  title:
    'Replicas of GitHub that show a pushed ref 0 to 20 s later (404, an old head, in turn with the new one) or never, under SIGKILL; tags in random order, force pushes',
  criterion:
    'each acknowledged push is promoted, superseded by a newer one, or reported on its commit as never shown; nothing is promoted twice; with the policy `every` the order of receipt holds; no older head of a branch is promoted after a newer one, and the branch ends on its newest head',
  async run(context) {
    const { random, form } = context;
    const size = sizes[form];
    const count = form === 'short' ? size.pushes : Math.max(6, Math.round(size.pushes * context.scale));
    await using server = await startRedisServer();
    await using env = await createTrialEnvironment(server, { lanes, targets, watched: false });
    const names = ['ve', 'vl'].map((family) => Array.from({ length: count }, (_, i) => `${family}-${i + 1}`));
    const commits = await layTags(env.services.repository.path, names.flat());
    for (const [name, commit] of commits) await env.services.publish(name, commit);
    const replicas = createReplicas(random.fork('replicas'));
    const base = commits.get(names.flat().at(-1) ?? '') ?? '';
    replicas.push('refs/heads/main', base, 0);
    env.services.github.interfere(replicas.fault);
    await using inbox = openInbox(server, env.services.prefix);
    await using pool = await startWorkerPool(env, 3, { headWaitMs: size.headWaitMs });
    await until('the refs are known', async () => (await knownRefs(env)) > 0);

    const [every = [], latest = []] = names;
    const pending = {
      every: every.map((name, i) => tagPush('every', name, commits.get(name) ?? '', i % 9 === 4)),
      latest: shuffle(latest, context).map((name, i) =>
        tagPush('latest', name, commits.get(name) ?? '', i % 9 === 4),
      ),
      head: await headPushes(env, base, count, context),
    };
    const pushes: Push[] = [];
    const kinds = shuffle(
      Object.entries(pending).flatMap(([kind, list]) => list.map(() => kind as Push['kind'])),
      context,
    );
    for (const [i, kind] of kinds.entries()) {
      const push = pending[kind].shift();
      if (push === undefined) continue;
      replicas.push(push.ref, push.commit, push.isHidden ? Infinity : size.maxLagMs);
      await acknowledge(env, pool, push.delivery, context);
      pushes.push(push);
      if (i % Math.ceil(kinds.length / size.kills) === 1) await pool.kill(random.below(3));
      await delay(random.below(200));
    }
    await pool.finish();
    await untilReached(
      'every push is ingested, every promotion is over',
      async () => {
        const [waiting, open] = await Promise.all([inbox.waiting(), env.store.openIds()]);
        if (waiting + open.length === 0) return true;
        const first = await env.store.promotion(open[0] ?? '');
        return `${waiting} not ingested, ${open.length} open: ${JSON.stringify(first)}`;
      },
      2 * size.headWaitMs + 30_000,
    );
    return { ...(await verify(env, pushes, inbox)), kills: pool.counts.kills, ...staleOf(replicas) };
  },
};

const staleOf = ({ stale }: Replicas) => ({ 'refs that a replica showed late': stale });

type Delivered = Push & { readonly delivery: ReturnType<typeof delivery> };

function pushOf(push: Omit<Push, 'digest'>): Delivered {
  const { ref, before, commit: after } = push;
  const made = delivery('push', {
    ref,
    before,
    after,
    created: before === none,
    deleted: false,
    forced: false,
    head_commit: { id: after },
    repository: { id: repositoryId, full_name: repositoryName },
    sender: { id: 1, login: 'octocat' },
  });
  return { ...push, delivery: made, digest: createHash('sha256').update(made.body).digest('hex') };
}

const tagPush = (kind: Push['kind'], name: string, commit: string, isHidden: boolean): Delivered =>
  pushOf({ kind, ref: `refs/tags/${name}`, before: none, commit, isHidden });

/** Heads of the branch, each one commit further or, by a force push, on another line. */
async function headPushes(
  { services }: TrialEnvironment,
  base: string,
  count: number,
  { random }: TrialContext,
): Promise<Delivered[]> {
  const pushes: Delivered[] = [];
  let line = 0;
  let head = base;
  for (let i = 0; i < count; i += 1) {
    const isForced = random.next() < 0.3;
    if (isForced) line += 1;
    const from = isForced ? base : head;
    const commit = await services.repository.commit(`line${line}`, { 'notes.txt': `head ${i}` }, { from });
    await services.publish(`head-${i + 1}`, commit);
    pushes.push(pushOf({ kind: 'head', ref: 'refs/heads/main', before: head, commit, isHidden: false }));
    head = commit;
  }
  return pushes;
}

/** The sender repeats what is not answered with 2xx. */
async function acknowledge(
  env: TrialEnvironment,
  pool: WorkerPool,
  push: ReturnType<typeof delivery>,
  { random }: TrialContext,
): Promise<void> {
  await until('a push is acknowledged', async () => {
    const status = await env.send(pool.workers[random.below(3)]?.url ?? '', push);
    return status === 202 || status === 200;
  });
}

const knownRefs = ({ server, services }: TrialEnvironment): Promise<number> =>
  server.redis.hexists(`${services.prefix}:chain:${repositoryId}`, '#begun');

async function verify(env: TrialEnvironment, pushes: readonly Push[], inbox: Inbox) {
  const promotions = await promotionsIn(env);
  const ofCommit = Map.groupBy(promotions, ({ task }) => `${task.ref} ${task.commit}`);
  const counts = { promoted: 0, superseded: 0, 'overtaken by a later head': 0, 'reported as never shown': 0 };
  const isOvertaken = (push: Push): boolean =>
    pushes
      .slice(pushes.indexOf(push) + 1)
      .some(({ ref, commit }) => ref === push.ref && ofCommit.has(`${ref} ${commit}`));
  for (const push of pushes) {
    const { kind, ref, commit, isHidden, digest } = push;
    const own = ofCommit.get(`${ref} ${commit}`) ?? [];
    const outcomes = own.map(({ outcome }) => outcome ?? 'none');
    const result = await inbox.result(digest);
    const status = env.services.status(commit, 'millrace/policy') ?? '';
    if (outcomes.includes('passed')) counts.promoted += 1;
    else if (outcomes.includes('superseded')) counts.superseded += 1;
    else if (kind === 'head' && isOvertaken(push)) counts['overtaken by a later head'] += 1;
    else if (isHidden && status.includes('GitHub did not show')) counts['reported as never shown'] += 1;
    else throw new Error(`${ref} at ${commit}: ${outcomes.join(', ')}; ${result}; ${status}`);
  }
  const shown = pushes.filter(({ isHidden }) => !isHidden);
  const every = promotions
    .filter(({ task }) => task.lane.name === 'every')
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ task, outcome }) => `${task.ref} ${outcome ?? ''}`);
  const wanted = shown.filter(({ kind }) => kind === 'every').map(({ ref }) => `${ref} passed`);
  mustHold(every.join() === wanted.join(), `received ${wanted.join()}; promoted ${every.join()}`);
  const { promotions: promoted } = effectsOf(env.services);
  mustHold(repeated(promoted).length === 0, `promoted twice: ${repeated(promoted).join(', ')}`);
  await verifyHeads(env, pushes, promoted);
  return { pushes: pushes.length, ...counts };
}

/** An older head never goes live after a newer one, and the branch ends on its newest head. */
async function verifyHeads(
  env: TrialEnvironment,
  pushes: readonly Push[],
  promoted: readonly string[],
): Promise<void> {
  const heads = pushes.filter(({ kind }) => kind === 'head');
  const lanesNow = await Promise.all((await env.store.laneIds()).map((id) => env.store.lane(id)));
  const live = lanesNow.find((found) => found?.name === 'head')?.verified?.version;
  const order = promoted
    .filter((text) => text.endsWith(' to "prod"'))
    .map((text) => Number(/head-(\d+)/.exec(text)?.[1]));
  const isInOrder = order.every((one, i) => one > (order[i - 1] ?? 0));
  mustHold(isInOrder, `an older head was promoted after a newer one: ${order.join(', ')}`);
  mustHold(
    live === `head-${heads.length}`,
    `the branch ended on ${live ?? 'nothing'} of ${heads.length} heads`,
  );
}

function shuffle<T>(list: readonly T[], { random }: TrialContext): readonly T[] {
  return list
    .map((one) => ({ one, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
