import { setTimeout as delay } from 'node:timers/promises';
import {
  askWorker,
  delivery,
  repositoryId,
  repositoryName,
} from '../../../environment/worker/worker-environment.ts';
import { type WorkerPool, startWorkerPool } from '../../environment/worker-pool.ts';
import { type Inbox, openInbox } from '../../environment/inbox.ts';
import { familyLanes, familyTargets, laneFamilies } from '../../environment/lane-families.ts';
import { layTags } from '../../environment/create-tags.ts';
import { type RedisServer, startRedisServer } from '../../environment/redis-server.ts';
import { releaseAll, promotionsIn } from '../../environment/promotions-in.ts';
import { type TrialEnvironment, createTrialEnvironment } from '../../environment/trial-environment.ts';
import { verifyPushes, type PushRecord } from '../../environment/verify-pushes.ts';
import { untilReached } from '../../environment/until.ts';
import { familyOf, wasDisplaced } from '../../environment/was-displaced.ts';
import type { Counts, Trial, TrialContext } from '../../trial.ts';

/** What happens in a round. Several rounds: the list of versions in an environment is read whole for each promotion. */
interface Round {
  readonly pushes: number;
  readonly kills: number;
  readonly freezes: number;
  /** Milliseconds between two acts at most. */
  readonly pauseMs: number;
}

const rounds: Readonly<Record<TrialContext['form'], Round>> = {
  short: { pushes: 28, kills: 6, freezes: 6, pauseMs: 200 },
  long: { pushes: 100, kills: 5, freezes: 7, pauseMs: 70 },
};

/** A thousand signals (SIGKILL; SIGSTOP and its SIGCONT) and ten thousand promotions. */
const longRounds = 58;

export const randomKills: Trial = {
  id: 'T2',
  title: 'Three workers on one Redis under random pushes, SIGKILL, SIGSTOP and SIGCONT',
  criterion:
    'no push is lost; every lane ends on its newest version, or its promotion says which version of another lane is live instead; the platform got each promotion and each execution once; GitHub got each result once',
  async run(context) {
    const count = context.form === 'short' ? 1 : Math.max(1, Math.round(longRounds * context.scale));
    await using server = await startRedisServer();
    const sums = new Map<string, number>();
    for (let round = 1; round <= count; round += 1) {
      const counted = await playRound(server, rounds[context.form], context);
      for (const [name, value] of Object.entries(counted))
        sums.set(name, (sums.get(name) ?? 0) + Number(value));
      context.log(
        `round ${round} of ${count}: ${sums.get('pushes')} pushes, ${sums.get('promotions')} promotions`,
      );
    }
    return { rounds: count, ...Object.fromEntries(sums) };
  },
};

async function playRound(server: RedisServer, round: Round, { random }: TrialContext): Promise<Counts> {
  await using env = await createTrialEnvironment(server, {
    lanes: familyLanes,
    targets: familyTargets,
    watched: false,
    seed: { settings: { componentTime: 60 } },
  });
  const versions = Array.from({ length: round.pushes }, (_, i) => `v${random.pick(laneFamilies)}-${i + 1}`);
  const commits = await layTags(env.services.repository.path, versions);
  await using inbox = openInbox(server, env.services.prefix);
  // A sender that was frozen between its last check and its write must wake within the second half of its lease, or GitHub
  // gets the end from the next sender as well. A freeze takes 3 s at most, on a busy machine longer.
  await using pool = await startWorkerPool(env, 3, { reportLeaseMs: 20_000 });
  const story: PushRecord = {
    newest: new Map(),
    undelivered: new Set(),
    offers: new Set(),
    pushes: new Map(),
    retried: new Map(),
  };
  const acts = Object.entries({ push: round.pushes, kill: round.kills, freeze: round.freezes }).flatMap(
    ([act, times]) => Array.from({ length: times }, () => ({ act, place: random.next() })),
  );
  for (const [i, { act }] of acts.toSorted((a, b) => a.place - b.place).entries()) {
    if (act === 'push') {
      const version = versions[story.pushes.size] ?? '';
      await pushVersion(env, pool, story, version, commits.get(version) ?? '', random.below(3));
    } else if (act === 'kill') await pool.kill(random.below(3));
    // Up to twice the life of a lock.
    else await pool.freeze(random.below(3), random.below(3_000) * random.next());
    // An operator who resolves unknown ends.
    if (i % 50 === 49) void releaseAll(env, ask(pool)).catch(() => 0);
    await delay(random.below(round.pauseMs));
  }
  await pool.finish();
  await bringToRest(env, pool, story, inbox);
  const { kills, freezes } = pool.counts;
  return {
    'signals (SIGKILL, SIGSTOP, SIGCONT)': kills + 2 * freezes,
    kills,
    freezes,
    ...(await verifyPushes(env, story, inbox)),
  };
}

async function pushVersion(
  env: TrialEnvironment,
  pool: WorkerPool,
  story: PushRecord,
  version: string,
  commit: string,
  to: number,
): Promise<void> {
  await env.services.publish(version, commit);
  story.newest.set(familyOf(version), version);
  const push = delivery('push', {
    ref: `refs/tags/${version}`,
    before: '0'.repeat(40),
    after: commit,
    created: true,
    deleted: false,
    forced: false,
    head_commit: { id: commit },
    repository: { id: repositoryId, full_name: repositoryName },
    sender: { id: 1, login: 'octocat' },
  });
  story.pushes.set(commit, { version, delivery: push });
  story.undelivered.add(push);
  const offered = offer(env, pool, story, push, to);
  story.offers.add(offered);
  void offered.finally(() => story.offers.delete(offered));
}

/** A delivery without a 2xx answer is in the sender's list of failures, and is sent again. */
async function offer(
  env: TrialEnvironment,
  pool: WorkerPool,
  story: PushRecord,
  push: ReturnType<typeof delivery>,
  to: number,
): Promise<void> {
  const worker = pool.workers[to];
  const status = worker === undefined ? undefined : await env.send(worker.url, push);
  if (status !== undefined && status < 300) story.undelivered.delete(push);
}

/** Asks a running worker, as an operator. */
const ask =
  (pool: WorkerPool) =>
  (path: string, body: unknown = {}): Promise<{ readonly status: number }> =>
    askWorker(pool.workers.find(({ alive }) => alive)?.url ?? '', path, body);

/** After the faults: failed deliveries are sent again, and an operator resolves unknown ends. */
async function bringToRest(
  env: TrialEnvironment,
  pool: WorkerPool,
  story: PushRecord,
  inbox: Inbox,
): Promise<void> {
  await Promise.all(story.offers);
  await untilReached('failed deliveries are accepted when they are sent again', async () => {
    for (const push of story.undelivered) await offer(env, pool, story, push, 0);
    return story.undelivered.size === 0 || `${story.undelivered.size} not taken`;
  });
  await untilReached(
    'every lane has ended on its newest head',
    async () => {
      await releaseAll(env, ask(pool));
      const [waiting, open, promotions] = await Promise.all([
        inbox.waiting(),
        env.store.openIds(),
        env.store.promotionIds(100_000),
      ]);
      const left = waiting + open.length > 0 ? 'work' : await retryUnknown(env, pool, story);
      return (
        left === undefined ||
        `${left}: ${waiting} pushes not taken in, ${promotions.length} runs, ${open.length} of them open`
      );
    },
    // A push that could not be taken in comes again after 75 seconds at most.
    120_000,
    500,
  ).catch(async (error: unknown) => {
    throw new Error(`${String(error)}\n${await picture(env, inbox)}`, { cause: error });
  });
}

/** Retries promotions of the newest versions with an unknown end. Gives the first unfinished lane as text. */
async function retryUnknown(
  env: TrialEnvironment,
  pool: WorkerPool,
  story: PushRecord,
): Promise<string | undefined> {
  const promotions = await promotionsIn(env);
  for (const [family, version] of story.newest) {
    for (const lane of [`${family}-test`, `${family}-prod`]) {
      const last = promotions.findLast(
        (promotion) => promotion.task.lane.name === lane && promotion.version === version,
      );
      if (last?.outcome === 'passed' || (await wasDisplaced(env, { lane, version }, promotions))) continue;
      if (
        last?.outcome === 'indeterminate' &&
        (await ask(pool)(`promotions/${last.id}/retry`)).status === 202
      ) {
        const key = `${version} ${last.task.lane.to}`;
        story.retried.set(key, (story.retried.get(key) ?? 0) + 1);
      }
      return `${lane} with ${version} (${last?.outcome ?? 'no run'}: ${last?.message ?? ''})`;
    }
  }
  return undefined;
}

/** The state of all lanes, for the message of a failure. */
async function picture(env: TrialEnvironment, inbox: Inbox): Promise<string> {
  const open = await env.store.openIds();
  const promotions = (await promotionsIn(env)).filter(({ id }) => open.includes(id));
  const lanes = await Promise.all((await env.store.laneIds()).map((id) => env.store.lane(id)));
  return [
    await inbox.picture(),
    ...lanes.map((lane) => JSON.stringify(lane)),
    ...promotions
      .slice(-30)
      .map(({ id, task, seq, version, state, outcome, message, step, report }) =>
        [id, task.lane.name, seq, version, state, outcome, message, step.name, JSON.stringify(report)].join(
          ' ',
        ),
      ),
  ].join('\n');
}
