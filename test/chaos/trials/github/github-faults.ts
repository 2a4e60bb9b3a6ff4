import { writtenPaths } from '../../../../local-github/graphql/written-paths.ts';
import { githubLimits } from '../../../../worker/rate-limit/write-budget.ts';
import type { Fault } from '../../../environment/github/start-github.ts';
import type { Deployment } from '../../../../local-github/state/state.ts';
import { testApp } from '../../../lib/github/app.ts';
import { release, toTest, twoLanes } from '../../../environment/worker/lanes-at-work.ts';
import { repositoryName } from '../../../environment/worker/worker-environment.ts';
import { repeated } from '../../environment/effects.ts';
import { type RedisServer, startRedisServer } from '../../environment/redis-server.ts';
import { promotionsIn, untilQuiet } from '../../environment/promotions-in.ts';
import { type TrialEnvironment, createTrialEnvironment } from '../../environment/trial-environment.ts';
import { until, untilReached } from '../../environment/until.ts';
import { mustHold, type Trial, type TrialContext } from '../../trial.ts';

interface Case {
  readonly name: string;
  /** What happens to the first `times` writes. */
  readonly times: number;
  readonly answer: ReturnType<Fault> | 'lose';
  readonly short?: boolean;
  /** GitHub never accepts the write, and the promotion's history says so. */
  readonly forGood?: boolean;
}

const cases: readonly Case[] = [
  {
    name: '403 secondary limit with Retry-After',
    // Each costs the minute that GitHub asks for.
    times: 1,
    answer: {
      status: 403,
      headers: { 'retry-after': '1' },
      body: { message: 'You have exceeded a secondary rate limit' },
    },
  },
  { name: '502', times: 1, answer: { status: 502, body: { message: 'bad gateway' } }, short: true },
  { name: '500', times: 3, answer: { status: 500, body: { message: 'oops' } } },
  { name: 'the connection ends before GitHub gets the request', times: 2, answer: 'drop' },
  { name: 'GitHub gets the request, the answer is lost', times: 2, answer: 'lose', short: true },
  {
    name: '422, the commit has the maximum number of statuses',
    times: Number.POSITIVE_INFINITY,
    answer: {
      status: 422,
      body: { message: 'This SHA and context has reached the maximum number of statuses.' },
    },
    forGood: true,
  },
];

export const githubFaults: Trial = {
  id: 'T16',
  title:
    'Faults of GitHub during status updates: secondary limit, 422, 5xx, lost requests, lost answers; more ends at once than GitHub accepts in a minute',
  criterion:
    'each end reaches GitHub once, whether earlier writes arrived or not; no check run or deployment is created twice; a deployment is active at most once and closed once, and only the newest stays active; at most 80 writes a minute; promotions do not wait for GitHub',
  async run(context) {
    const chosen = cases.filter(({ short }) => context.form === 'long' || short);
    await using server = await startRedisServer();
    const [struck, lost, burst] = await Promise.all([
      Promise.all(chosen.map((one) => strike(server, one, context))),
      context.form === 'long' ? loseEveryAnswer(server, context) : undefined,
      context.form === 'long' ? reportManyEnds(server, context) : undefined,
    ]);
    return {
      faults: chosen.length,
      'writes that failed': struck.reduce((a, b) => a + b, 0),
      ...lost,
      ...burst,
      'ends reported twice': 0,
    };
  },
};

async function strike(
  server: RedisServer,
  { name, times, answer, forGood = false }: Case,
  { log }: TrialContext,
): Promise<number> {
  await using env = await createTrialEnvironment(server, { lanes: toTest });
  const worker = await env.start();
  const commit = await release(env.services, 'v1.0.0');
  let failed = 0;
  const strikes = (method: string, path: string): boolean => {
    if (failed === times || method !== 'POST' || !path.includes('/statuses/')) return false;
    failed += 1;
    return true;
  };
  if (answer === 'lose') {
    env.watch(({ line, label, phase }) =>
      line === 'github' && phase === 'after' && strikes('POST', label) ? 'cut' : 'pass',
    );
  } else {
    env.services.github.interfere(({ method, path }) => (strikes(method, path) ? answer : undefined));
  }
  await env.send(worker.url, await env.services.push('refs/tags/v1.0.0'));
  await until(`${name}: the promotion ends`, async () => (await promotionsIn(env))[0]?.outcome === 'passed');
  await untilQuiet(env, 240_000);
  const ends = endsOf(env).filter(({ sha }) => sha === commit);
  mustHold(failed > 0, `${name}: it never struck`);
  if (forGood) {
    const history = await env.store.history({ promotion: (await promotionsIn(env))[0]?.id ?? '' });
    mustHold(ends.length === 0, `${name}: ${ends.length} ends`);
    mustHold(
      history.some(({ what }) => what === 'report-given-up'),
      `${name}: the history does not say that the report was given up`,
    );
  } else {
    mustHold(ends.length === 1, `${name}: ${ends.length} ends`);
    mustHold(ends[0]?.state === 'success', `${name}: no success`);
  }
  log(`${name}: ${ends.length} ends`);
  return failed;
}

const endsOf = ({ services }: TrialEnvironment) =>
  services.github.repository(repositoryName).statuses.filter(({ state }) => state !== 'pending');

/** A GitHub App. GitHub carries out each write, and loses its first answer. */
async function loseEveryAnswer(server: RedisServer, { log, scale }: TrialContext) {
  const versions = Math.max(2, Math.round(5 * scale));
  await using env = await createTrialEnvironment(server, {
    lanes: twoLanes.replaceAll('on-failure', 'policy: every\n    on-failure'),
    github: { app: testApp },
  });
  const worker = await env.start();
  const lost = new Set<string>();
  env.services.github.interfere((request) => {
    const paths = writtenPaths(request).join(' ');
    if (!/check-runs|deployments/.test(paths)) return undefined;
    const write = `${paths} ${JSON.stringify(request.body)}`;
    if (lost.has(write)) return undefined;
    lost.add(write);
    return 'lose';
  });
  for (let i = 1; i <= versions; i += 1) {
    await release(env.services, `v1.${i}.0`);
    await env.send(worker.url, await env.services.push(`refs/tags/v1.${i}.0`));
    // A push that is ingested after a newer one is superseded, as it should be.
    await until('the push has a run', async () =>
      (await promotionsIn(env)).some(({ task }) => task.ref.endsWith(`v1.${i}.0`)),
    );
  }
  await untilReached('every promotion of the App ends', async () => {
    const passed = (await promotionsIn(env)).filter(({ outcome }) => outcome === 'passed').length;
    return passed === 2 * versions || `${passed} passed`;
  });
  await untilQuiet(env, 240_000);
  const { checkRuns, deployments } = env.services.github.repository(repositoryName);
  const checks = checkRuns.map((one) => `${one.head_sha} ${one.name}`);
  const deployed = deployments.map((one) => `${one.sha} ${one.environment}`);
  for (const list of [checks, deployed]) {
    mustHold(repeated(list).length === 0, `made twice: ${repeated(list).join(', ')}`);
    mustHold(list.length === 2 * versions, `${list.length} of ${2 * versions} were made`);
  }
  mustHold(
    checkRuns.every(({ conclusion }) => conclusion === 'success'),
    'a check run does not say how it ended',
  );
  mustEndOnce(deployments, `v1.${versions}.0`);
  log(`an App: ${lost.size} answers were lost`);
  return { 'answers lost to an App': lost.size, 'its check runs and deployments': 4 * versions };
}

/**
 * Each deployment ends once: it becomes active, or a newer one was active before its success could be sent; and it is
 * closed once, by GitHub or by the worker. Only the deployment of the newest version stays active.
 */
function mustEndOnce(deployments: readonly Deployment[], newest: string): void {
  for (const { description, environment, statuses } of deployments) {
    const count = (wanted: string): number => statuses.filter(({ state }) => state === wanted).length;
    const isNewest = description?.startsWith(`${newest} `) === true;
    const [active, closed] = [count('success'), count('inactive')];
    const about = `the deployment of "${description ?? ''}" to ${environment}`;
    mustHold(
      active === 1 || (active === 0 && !isNewest),
      `${active} times active: ${about}: ${JSON.stringify(statuses)}`,
    );
    mustHold(closed === (isNewest ? 0 : 1), `${closed} times closed: ${about}: ${JSON.stringify(statuses)}`);
    const last = isNewest ? 'success' : 'inactive';
    mustHold(statuses.at(-1)?.state === last, `the last status is not ${last}: ${about}`);
    mustHold(count('failure') + count('error') === 0, `a failure: ${about}`);
  }
}

/** Many ends at once, under the limits that GitHub sets. */
async function reportManyEnds(server: RedisServer, { log, scale }: TrialContext) {
  const pushes = Math.max(5, Math.round(100 * scale));
  await using env = await createTrialEnvironment(server, { lanes: toTest });
  // A sender has its report for as long as by itself: the allowance lets an end wait for ten seconds.
  const worker = await env.start({ githubLimits, reportLeaseMs: 40_000 });
  const writes: number[] = [];
  env.watch(({ line, label, phase }) => {
    if (line === 'github' && phase === 'before' && !label.startsWith('GET')) writes.push(Date.now());
    return 'pass';
  });
  for (let i = 1; i <= pushes; i += 1) {
    await release(env.services, `v1.${i}.0`);
    await env.send(worker.url, await env.services.push(`refs/tags/v1.${i}.0`));
  }
  await untilReached('every push has a run', async () => {
    const { length } = await promotionsIn(env);
    return length === pushes || `${length} have one`;
  });
  await untilQuiet(env, 240_000);
  const commits = endsOf(env).map(({ sha }) => sha);
  mustHold(repeated(commits).length === 0, `reported twice: ${repeated(commits).join(', ')}`);
  mustHold(commits.length === pushes, `${commits.length} of ${pushes} ends were reported`);
  const max = Math.max(
    ...writes.map((startedAt) => writes.filter((at) => at >= startedAt && at < startedAt + 60_000).length),
  );
  mustHold(max <= 80, `${max} writes in a minute`);
  log(`${pushes} ends at once: ${max} writes in the busiest minute`);
  return { 'ends at once': pushes, 'writes in the busiest minute': max };
}
