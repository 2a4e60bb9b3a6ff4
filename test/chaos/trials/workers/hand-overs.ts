import { setTimeout as delay } from 'node:timers/promises';
import { release, twoLanes } from '../../../environment/worker/lanes-at-work.ts';
import { askWorker } from '../../../environment/worker/worker-environment.ts';
import { effectsOf, repeated } from '../../environment/effects.ts';
import { promotionsIn, releaseAll } from '../../environment/promotions-in.ts';
import { type RedisServer, startRedisServer } from '../../environment/redis-server.ts';
import { createTrialEnvironment, type TrialEnvironment } from '../../environment/trial-environment.ts';
import { until, untilReached } from '../../environment/until.ts';
import { startWorkerPool } from '../../environment/worker-pool.ts';
import type { WorkerProcess } from '../../environment/worker-process.ts';
import type { Moment, Watch } from '../../lines/moment.ts';
import { beginsAdvance, openRedisLine } from '../../lines/redis-line.ts';
import { mustHold, type Trial, type TrialContext } from '../../trial.ts';

const lanes = twoLanes.replaceAll('on-failure: rollback', 'on-failure: hold\n    policy: every');

/** Before or after the nth time that something happens since the first lane begins to end. */
interface Point {
  readonly label: string;
  readonly phase: Moment['phase'];
  readonly nth: number;
}

/** The second version passes the first lane before another worker takes over the first version. */
const lockMs = 4_000;

/** What happens at the same time: reports, and workers that wait for jobs. */
const besides = /report|BZPOPMIN|spend-write|live-times|MULTI|EXEC/;

const nameOf = ({ label, phase, nth }: Point): string => `${phase} ${label} #${nth}`;

/** The writes that the hand-over consists of. */
const decisive = /^(?:before accept|after finish|before finish-following|after accept) #1$/;

export const handOvers: Trial = {
  id: 'T21',
  title:
    'SIGKILL between the end of one lane and the start of the next, at every Redis write there and at random, while a newer version follows',
  criterion:
    'with the policy `every`, each version that passed the first lane enters the next exactly once, in the same order',
  async run(context) {
    const { form } = context;
    await using server = await startRedisServer();
    const all = await record(server);
    const points = form === 'long' ? all : all.filter((point) => decisive.test(nameOf(point)));
    const chains = form === 'short' ? 2 : 3;
    const [random, ...walks] = await Promise.all([
      killAtRandom(server, context),
      ...Array.from({ length: chains }, (_, chain) =>
        walk(
          server,
          points.filter((__, i) => i % chains === chain),
          context,
        ),
      ),
    ]);
    const walked = walks.reduce((sum, { kills, handedOver }) => ({
      kills: sum.kills + kills,
      handedOver: sum.handedOver + handedOver,
    }));
    mustHold(
      walked.kills >= points.length * 0.6,
      `only ${walked.kills} of ${points.length} points were reached`,
    );
    return {
      'points of a hand-over': all.length,
      'kills at these points': walked.kills,
      'kills at random moments': random.kills,
      'versions handed over': walked.handedOver + random.handedOver,
      'lost, repeated or out of order': 0,
    };
  },
};

/** Counts what happens from the moment at which a version's promotion in the first lane is about to end. */
function watchHandOver(version: string, each: (point: Point) => ReturnType<Watch>): Watch {
  const seen = new Map<string, number>();
  let begun = false;
  return ({ label, phase, text }) => {
    begun ||= label === 'finish' && text.includes('to-test') && text.includes(`"verified":"${version}"`);
    if (!begun || besides.test(label)) return 'pass';
    const key = `${phase} ${label}`;
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    return each({ label, phase, nth });
  };
}

/** One undisturbed hand-over, to find its points: from the end of the first lane to the first advance in the next. */
async function record(server: RedisServer): Promise<readonly Point[]> {
  await using env = await createTrialEnvironment(server, { lanes });
  const points: Point[] = [];
  let isOver = false;
  await using line = await openRedisLine(
    server.socket,
    watchHandOver('v1.0.0', (point) => {
      if (!isOver) points.push(point);
      isOver ||= point.label === beginsAdvance;
      return 'pass';
    }),
  );
  const worker = await env.start({}, line.address);
  await release(env.services, 'v1.0.0');
  await push(env, worker, 'v1.0.0');
  await untilHandedOver(env, [worker], ['v1.0.0']);
  return points;
}

interface Walked {
  readonly kills: number;
  readonly handedOver: number;
}

/** For each point two versions: one worker hands the first version over and is killed, the other worker has the second. */
async function walk(server: RedisServer, points: readonly Point[], { log }: TrialContext): Promise<Walked> {
  await using env = await createTrialEnvironment(server, { lanes, watched: false });
  let watch: (worker: WorkerProcess | undefined, moment: Moment) => ReturnType<Watch> = () => 'pass';
  // A line for each, to know who is at a point.
  const start = async (stack: AsyncDisposableStack): Promise<WorkerProcess> => {
    const own: { worker?: WorkerProcess } = {};
    const line = stack.use(await openRedisLine(server.socket, (moment) => watch(own.worker, moment)));
    own.worker = await env.start({ lockMs }, line.address);
    return own.worker;
  };
  await using stack = new AsyncDisposableStack();
  const workers = await Promise.all([start(stack), start(stack)]);
  const versions: string[] = [];
  let kills = 0;
  for (const [i, point] of points.entries()) {
    const [first, second] = [`v1.${i}.0`, `v1.${i}.1`];
    versions.push(first, second);
    let dead: WorkerProcess | undefined;
    const handOver = watchHandOver(first, (at) => (nameOf(at) === nameOf(point) ? 'cut' : 'pass'));
    watch = async (worker, moment) => {
      if (dead !== undefined || worker === undefined || (await handOver(moment)) === 'pass')
        return worker !== undefined && worker === dead ? 'cut' : 'pass';
      dead = worker;
      worker.signal('SIGKILL');
      return 'cut';
    };
    const [alive] = workers;
    if (alive === undefined) throw new Error('no worker is alive');
    for (const version of [first, second]) await release(env.services, version);
    for (const version of [first, second]) await push(env, alive, version);
    await untilHandedOver(env, workers, versions);
    watch = () => 'pass';
    if (dead !== undefined) {
      kills += 1;
      workers.splice(workers.indexOf(dead), 1);
      workers.push(await start(stack));
    }
    log(`${nameOf(point)}: ${kills} kills`);
  }
  return { kills, handedOver: versions.length };
}

async function killAtRandom(
  server: RedisServer,
  { random, form, scale, log }: TrialContext,
): Promise<Walked> {
  const count = form === 'short' ? 8 : Math.max(9, Math.round(42 * scale));
  const versions = Array.from({ length: count }, (_, i) => `v2.${i}.0`);
  await using env = await createTrialEnvironment(server, { lanes, watched: false });
  await using pool = await startWorkerPool(env, 3);
  for (const [i, version] of versions.entries()) {
    await release(env.services, version);
    const delivery = await env.services.push(`refs/tags/${version}`);
    // The sender repeats what nobody answered; the order of receipt is the order of the answers.
    await until(`${version} is taken`, async () => {
      const status = await env.send(pool.workers[random.below(3)]?.url ?? '', delivery);
      return status === 202 || status === 200;
    });
    if (i % 3 === 1) await pool.kill(random.below(3));
    await delay(random.below(300));
  }
  await pool.finish();
  await untilHandedOver(env, pool.workers, versions);
  log(`${pool.counts.kills} kills at random moments`);
  return { kills: pool.counts.kills, handedOver: versions.length };
}

async function push(env: TrialEnvironment, worker: WorkerProcess, version: string): Promise<void> {
  const status = await env.send(worker.url, await env.services.push(`refs/tags/${version}`));
  mustHold(status === 202, `the push of ${version} was answered with ${status ?? 'nothing'}`);
}

/** Waits until nothing is left to do, with an operator who resumes held lanes; then compares the two lanes. */
async function untilHandedOver(
  env: TrialEnvironment,
  workers: readonly WorkerProcess[],
  versions: readonly string[],
): Promise<void> {
  const ask = (path: string, body: unknown) =>
    askWorker(workers.find(({ alive }) => alive)?.url ?? '', path, body);
  const inLane = async (name: string) =>
    (await promotionsIn(env)).filter(({ task }) => task.lane.name === name).toSorted((a, b) => a.seq - b.seq);
  await untilReached('all promotions are over', async () => {
    // One that is killed does not answer.
    await releaseAll(env, ask).catch(() => 0);
    const [open, first] = await Promise.all([env.store.openIds(), inLane('to-test')]);
    return (open.length === 0 && first.length >= versions.length) || `${first.length}, ${open.length} open`;
  });
  const first = await inLane('to-test');
  const next = await inLane('to-prod');
  const passed = first.filter(({ outcome }) => outcome === 'passed').map(({ version }) => version ?? '');
  const entered = next.filter(({ outcome }) => outcome !== 'superseded').map(({ version }) => version ?? '');
  mustHold(
    passed.join(' ') === entered.join(' '),
    `to-test passed ${passed.join(' ')}; to-prod got ${next.map(({ version, outcome }) => `${version ?? ''} ${outcome ?? ''}`).join(', ')}`,
  );
  const unknown = first.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'indeterminate');
  mustHold(
    first.length === versions.length && unknown.length === 0,
    `to-test ended ${unknown.map(({ version, outcome }) => `${version ?? ''} ${outcome ?? ''}`).join(', ')}`,
  );
  const { promotions, executions } = effectsOf(env.services);
  for (const list of [promotions, executions])
    mustHold(repeated(list).length === 0, `twice: ${repeated(list).join(', ')}`);
}
