import type { PromotionRecord } from '../../../../worker/records/promotion-record.ts';
import { release, twoLanes } from '../../../environment/worker/lanes-at-work.ts';
import { askWorker } from '../../../environment/worker/worker-environment.ts';
import type { Moment } from '../../lines/moment.ts';
import { effectsOf, repeated } from '../../environment/effects.ts';
import { type RedisServer, startRedisServer } from '../../environment/redis-server.ts';
import { releaseAll, promotionsIn, untilQuiet } from '../../environment/promotions-in.ts';
import { type TrialEnvironment, createTrialEnvironment } from '../../environment/trial-environment.ts';
import { until, untilReached } from '../../environment/until.ts';
import type { WorkerProcess } from '../../environment/worker-process.ts';
import { type Counts, mustHold, type Trial, type TrialContext } from '../../trial.ts';

/** Before or after the nth time that something happens since the push. */
interface Point extends Omit<Moment, 'text'> {
  readonly nth: number;
}

const nameOf = ({ line, label, phase, nth }: Point): string => `${phase} ${line} ${label} #${nth}`;

/** Points that the sample of the short form must contain. */
const decisive =
  /^(?:before|after) (?:platform POST .*|redis record effect .*|redis finish|redis accept|redis finish-following|redis keep-events) #1$/;

export const killAtEveryPoint: Trial = {
  id: 'T1',
  title: 'SIGKILL at every point: before and after each outside call and each Redis write of a promotion',
  criterion:
    'each promotion takes effect once and starts at most one execution per intent, or ends as `indeterminate` with its lane held; each end is reported once; no push is lost',
  async run(context) {
    await using server = await startRedisServer();
    const all = await record(server);
    const points = chooseFrom(all, context);
    const chains = context.form === 'short' ? 2 : 4;
    const results = await Promise.all(
      Array.from({ length: chains }, (_, chain) =>
        walk(
          server,
          points.filter((__, i) => i % chains === chain),
          context,
        ),
      ),
    );
    const sum = (of: (result: ChainResult) => number): number =>
      results.reduce((total, result) => total + of(result), 0);
    const counts: Counts = {
      'points of a promotion': all.length,
      'points tried': points.length,
      kills: sum(({ kills }) => kills),
      'not reached again': sum(({ missed }) => missed),
      'ended indeterminate': sum(({ indeterminate }) => indeterminate),
      'slowest from kill to the end, s': (
        Math.max(...results.map(({ slowestMs }) => slowestMs)) / 1000
      ).toFixed(1),
    };
    mustHold(
      sum(({ kills }) => kills) >= points.length * 0.6,
      `too few points were reached: ${JSON.stringify(counts)}`,
    );
    return counts;
  },
};

/** One undisturbed promotion, to find its points. */
async function record(server: RedisServer): Promise<readonly Point[]> {
  await using env = await createTrialEnvironment(server, { lanes: twoLanes });
  const worker = await env.start();
  const points: Point[] = [];
  const seen = new Map<string, number>();
  await release(env.services, 'v1.0.0');
  env.watch(({ line, label, phase }) => {
    const key = `${line} ${label} ${phase}`;
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    points.push({ line, label, phase, nth });
    return 'pass';
  });
  mustHold(
    (await env.send(worker.url, await env.services.push('refs/tags/v1.0.0'))) === 202,
    'the push is taken',
  );
  await until('two runs', async () => (await env.store.promotionIds(9)).length === 2);
  await untilQuiet(env);
  return points;
}

function chooseFrom(points: readonly Point[], { form, random, scale }: TrialContext): readonly Point[] {
  if (form === 'long') {
    // The first time that something happens is worth more than the seventh.
    const [firsts, rest] = [points.filter(({ nth }) => nth === 1), points.filter(({ nth }) => nth > 1)];
    const count = Math.min(points.length, Math.ceil(points.length * scale));
    return [...random.sample(firsts, count), ...random.sample(rest, Math.max(0, count - firsts.length))];
  }
  const must = points.filter((point) => decisive.test(nameOf(point)));
  // A report that broke off has its sender for forty seconds more: too long for every day.
  const quick = points.filter(({ label }) => !/statuses|take-report|return-report/.test(label));
  return random.sample(must, 6).concat(random.sample(quick, 2));
}

interface ChainResult {
  kills: number;
  missed: number;
  indeterminate: number;
  slowestMs: number;
}

/** One version after the other; the worker that finishes one is killed in the next. */
async function walk(
  server: RedisServer,
  points: readonly Point[],
  { log }: TrialContext,
): Promise<ChainResult> {
  const result: ChainResult = { kills: 0, missed: 0, indeterminate: 0, slowestMs: 0 };
  await using env = await createTrialEnvironment(server, { lanes: twoLanes });
  let worker = await env.start();
  for (const [i, point] of points.entries()) {
    const version = `v1.${i}.0`;
    worker = await tryPoint(env, worker, version, point, result);
    log(`${nameOf(point)}: ${result.kills} kills, ${result.indeterminate} indeterminate`);
  }
  return result;
}

async function tryPoint(
  env: TrialEnvironment,
  worker: WorkerProcess,
  version: string,
  point: Point,
  result: ChainResult,
): Promise<WorkerProcess> {
  const { services } = env;
  const where = `${nameOf(point)} (${version})`;
  const commit = await release(services, version);
  const delivery = await services.push(`refs/tags/${version}`);
  let left = point.nth;
  env.watch(({ line, label, phase }) => {
    if (line !== point.line || label !== point.label || phase !== point.phase) return 'pass';
    left -= 1;
    if (left !== 0) return 'pass';
    worker.signal('SIGKILL');
    return 'cut';
  });
  const accepted = await env.send(worker.url, delivery);
  await untilReached(`${where}: the worker is killed or done`, async () => {
    return !worker.alive || progress(env, commit);
  });
  env.watch(undefined);
  let next = worker;
  if (worker.alive) result.missed += 1;
  else {
    result.kills += 1;
    await worker.exited;
    next = await env.start();
    // No answer came, so that the sender's list of deliveries shows a failure, and it is sent again.
    if (accepted !== 202) {
      await until(`${where}: a delivery sent again is taken`, async () => {
        const again = (await env.send(next.url, delivery)) ?? 0;
        return again === 202 || again === 200;
      });
    }
    await untilReached(`${where}: the next worker finishes`, () => progress(env, commit));
    result.slowestMs = Math.max(result.slowestMs, Date.now() - (worker.endedAt ?? 0));
  }
  await check(env, commit, where, result);
  await releaseAll(env, (path, body) => askWorker(next.url, path, body));
  return next;
}

/** By the commit: a sweep may have found the tag before its push was sent. */
async function promotionsOf(env: TrialEnvironment, commit: string): Promise<readonly PromotionRecord[]> {
  return (await promotionsIn(env)).filter(({ task }) => task.commit === commit);
}

/** True once the version's last promotion has ended and GitHub shows it; else the progress. */
async function progress(env: TrialEnvironment, commit: string): Promise<true | string> {
  const promotions = await promotionsOf(env, commit);
  const open = await env.store.openIds();
  const last = promotions.at(-1);
  const isOver = last?.state === 'finished' && (promotions.length === 2 || last.outcome !== 'passed');
  if (isOver && open.length === 0) return true;
  const words = promotions.map(({ task, state, outcome, step, report }) =>
    [task.lane.name, state, outcome, step.name, `${report.sent}/${report.seq} reported`].join(' '),
  );
  return `${words.join(', ')}; open: ${open.join(' ')}`;
}

async function check(
  env: TrialEnvironment,
  commit: string,
  where: string,
  result: ChainResult,
): Promise<void> {
  const promotions = await promotionsOf(env, commit);
  const { promotions: promoted, executions, ends } = effectsOf(env.services);
  for (const list of [promoted, executions, ends])
    mustHold(repeated(list).length === 0, `${where}: twice: ${repeated(list).join(', ')}`);
  for (const promotion of promotions) {
    const { task, outcome, message } = promotion;
    mustHold(
      ends.includes(`${task.commit} millrace/${task.lane.name}`),
      `${where}: the end of ${task.lane.name} is not on GitHub`,
    );
    if (outcome === 'indeterminate') {
      result.indeterminate += 1;
      const lane = await env.store.lane(promotion.lane);
      mustHold(
        lane !== undefined && lane.holds.length > 0,
        `${where}: ${promotion.lane} is indeterminate and not held`,
      );
      continue;
    }
    mustHold(
      outcome === 'passed',
      `${where}: ${task.lane.name} ended ${outcome ?? 'nowhere'}: ${message ?? ''}`,
    );
    const version = promotion.version ?? '';
    for (const list of [promoted, executions])
      mustHold(
        list.filter(
          (one) => one.includes(`"${version}"`) && / (?:to|in) "([a-z]+)"$/.exec(one)?.[1] === task.lane.to,
        ).length === 1,
        `${where}: ${version} in ${task.lane.to}: not exactly once: ${list.join('; ')}`,
      );
  }
}
