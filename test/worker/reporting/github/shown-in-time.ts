import { githubLimits } from '../../../../worker/rate-limit/write-budget.ts';
import { documentedContentLimits } from '../../../../local-github/server/content-limit.ts';
import type { TestRedis } from '../../../environment/redis.ts';
import { createReporterEnvironment, type ReporterEnvironmentOptions } from './reporter-environment.ts';

export interface Load extends Pick<ReporterEnvironmentOptions, 'as' | 'permissions'> {
  /** Lanes, each to an environment of its own. */
  readonly environments: number;
  /** Promotions in an hour, evenly over the environments. */
  readonly perHour: number;
  readonly hours: number;
}

/** What GitHub showed in the last hour of a load, by a clock that jumps to what comes next. */
export interface Shown {
  /** Promotions that ended in the hour. */
  readonly ended: number;
  /** Ends that the check run, or the commit status, showed within a minute. */
  readonly ends: number;
  /** Ends whose deployment was active within a minute, or was not the newest of its environment any more. */
  readonly deployments: number;
  /** Requests that wrote something, in the hour. */
  readonly writes: number;
  /** Requests that GitHub refused because of its limit, in all hours. */
  readonly refused: number;
  /** Milliseconds until everything was shown after the last end. */
  readonly catchUpMs: number;
}

type Environment = Awaited<ReturnType<typeof createReporterEnvironment>>;

const hourMs = 3_600_000;
const inTimeMs = 60_000;

interface Due {
  readonly at: number;
  act(): Promise<void>;
}

/** Runs promotions and reports, each when it is due. */
export async function measureShown(redis: TestRedis, load: Load): Promise<Shown> {
  const { environments, perHour, hours, ...options } = load;
  const env = await createReporterEnvironment(redis, {
    ...options,
    limits: githubLimits,
    contentLimits: documentedContentLimits,
    isFrozen: true,
  });
  const began = env.now();
  const due: Due[] = [];
  const jobs = new Set<string>();
  const watch = createWatch(env);

  function addJob(id: string, seq: number, at = env.now()): void {
    const name = `${id} ${seq}`;
    if (jobs.has(name)) return;
    jobs.add(name);
    due.push({
      at,
      async act() {
        jobs.delete(name);
        const wait = await env.report(id, seq);
        watch.look();
        for (const added of env.addedJobs.splice(0)) addJob(added.id, added.seq);
        if (wait !== undefined) addJob(id, seq, env.now() + wait);
      },
    });
  }

  /** The job of the newest state, as the worker adds it. */
  async function report(id: string): Promise<void> {
    const promotion = await env.store.promotion(id);
    if (promotion !== undefined) addJob(id, promotion.report.seq);
  }

  const everyMs = hourMs / perHour;
  const lastsMs = Math.min(30_000, 0.8 * everyMs * environments);
  function schedule(index: number): void {
    const id = `promotion-${index + 1}`;
    const to = `env-${index % environments}`;
    const lane = { id: `77/p/${to}`, name: `to-${to}`, to };
    const start = began + index * everyMs;
    let key: Awaited<ReturnType<Environment['beginAdvance']>> | undefined;
    const at = (share: number, act: () => Promise<void>): void =>
      void due.push({ at: start + share * lastsMs, act: () => act().then(() => report(id)) });
    at(0, () => env.accept(id, { version: id, lane }));
    at(0.05, async () => {
      key = await env.beginAdvance(id);
      await env.intend(key, id);
      await env.say(key, `Promoting ${id}`);
    });
    at(0.15, async () => {
      if (key) await env.say(key, `Verifying ${id}`);
    });
    at(1, async () => {
      if (key === undefined) return;
      await env.finish(key, 'passed', `${id} is live`);
      watch.ended(id, to);
    });
  }
  for (let index = 0; index < perHour * hours; index += 1) schedule(index);

  let [writesBefore, writesAfter] = [0, 0];
  while (due.length > 0) {
    const next = due.reduce((first, one, index) => (one.at < (due[first]?.at ?? 0) ? index : first), 0);
    const [{ at, act } = { at: 0, act: async () => {} }] = due.splice(next, 1);
    env.time.skipped += Math.max(0, at - env.now());
    if (env.now() < began + (hours - 1) * hourMs) writesBefore = countWrites(env);
    if (env.now() < began + hours * hourMs) writesAfter = countWrites(env);
    await act();
  }
  const last = watch.since(began + (hours - 1) * hourMs);
  return {
    ...last,
    writes: writesAfter - writesBefore,
    refused: env.github.requests.filter(({ status }) => status === 403).length,
    catchUpMs: env.now() - watch.lastEnd(),
  };
}

/** Requests that wrote something; a query is a POST that only reads. */
const countWrites = ({ github }: Environment): number =>
  github.requests.filter(
    ({ method, path, body }) =>
      method !== 'GET' &&
      !path.endsWith('/access_tokens') &&
      (path !== '/graphql' || JSON.stringify(body).includes('"mutation ')),
  ).length;

interface Ended {
  readonly id: string;
  readonly to: string;
  readonly at: number;
  endShownAt?: number;
  /** Also when a newer one of its environment ended: nobody needs it then. */
  deploymentShownAt?: number;
}

/** Notes when GitHub shows what has ended. */
function createWatch(env: Environment) {
  const all: Ended[] = [];
  let open: Ended[] = [];
  const { checkRuns, deployments, statuses } = env.repository;
  return {
    ended(id: string, to: string): void {
      const now = env.now();
      for (const older of open) if (older.to === to) older.deploymentShownAt ??= now;
      const one = { id, to, at: now };
      all.push(one);
      open.push(one);
    },
    look(): void {
      const now = env.now();
      const shown = new Set([
        ...checkRuns.flatMap(({ status, external_id: id }) => (status === 'completed' ? [id] : [])),
        ...statuses.flatMap(({ state, description }) =>
          state === 'success' ? [description?.split(' ')[0]] : [],
        ),
      ]);
      const active = new Set(
        deployments.flatMap(({ payload, statuses: list }) =>
          list.some(({ state }) => state === 'success') ? [(payload as { version: string }).version] : [],
        ),
      );
      for (const one of open) {
        if (shown.has(one.id)) one.endShownAt ??= now;
        if (active.has(one.id)) one.deploymentShownAt ??= now;
      }
      open = open.filter(({ endShownAt, deploymentShownAt }) => !endShownAt || !deploymentShownAt);
    },
    since(time: number): Pick<Shown, 'ended' | 'ends' | 'deployments'> {
      const last = all.filter(({ at }) => at >= time);
      const inTime = (one: number | undefined, at: number): boolean =>
        one !== undefined && one - at <= inTimeMs;
      return {
        ended: last.length,
        ends: last.filter(({ at, endShownAt }) => inTime(endShownAt, at)).length,
        deployments: last.filter(({ at, deploymentShownAt }) => inTime(deploymentShownAt, at)).length,
      };
    },
    lastEnd: (): number => all.at(-1)?.at ?? 0,
  };
}
