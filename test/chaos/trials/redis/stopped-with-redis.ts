import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import type { Hold, LaneRecord } from '../../../../worker/store/lanes/lane-record.ts';
import { release, toTest } from '../../../environment/worker/lanes-at-work.ts';
import { askWorker, projectId } from '../../../environment/worker/worker-environment.ts';
import { effectsOf } from '../../environment/effects.ts';
import { promotionsIn } from '../../environment/promotions-in.ts';
import { startRedisServer } from '../../environment/redis-server.ts';
import { createTrialEnvironment } from '../../environment/trial-environment.ts';
import { until } from '../../environment/until.ts';
import type { WorkerProcess } from '../../environment/worker-process.ts';
import { mustHold, type Trial, type TrialContext } from '../../trial.ts';

const words = ['hold', 'pause', 'cancel'] as const;
type Word = (typeof words)[number];

/** What comes back of the append-only file: without the word, as at the last fsync with `everysec`, or all of it. */
const files = ['before', 'cut', 'before', 'cut', 'whole'] as const;

const laneId = `77/${projectId}/to-test`;

/** Environments at the same time: most of a round is the start of processes and waiting. */
const atOnce = 3;

interface Sums {
  rounds: number;
  'without the word': number;
  'cut at the last fsync': number;
  'words in force afterwards': number;
  'lanes held by the journal': number;
  'held versions that were promoted': number;
}

export const stoppedWithRedis: Trial = {
  id: 'T27',
  title:
    'Both workers and Redis killed after an answered hold, pause or cancel; the append-only file comes back without this action, or cut at its last fsync; the worker that did not answer starts first',
  criterion:
    'each action is in force, or its lane is held until a person resumes it: the version that was stopped is not promoted, neither before the other worker starts nor after; if nothing is lost, the journal holds no lane',
  async run(context) {
    const rounds = context.form === 'short' ? 4 : Math.max(6, Math.round(200 * context.scale));
    const sums: Sums = {
      rounds: 0,
      'without the word': 0,
      'cut at the last fsync': 0,
      'words in force afterwards': 0,
      'lanes held by the journal': 0,
      'held versions that were promoted': 0,
    };
    let next = 0;
    const work = async (): Promise<void> => {
      await using place = await openPlace();
      while (next < rounds) {
        next += 1;
        await place.play(next, context, sums);
        sums.rounds += 1;
        if (sums.rounds % 10 === 0) context.log(`${sums.rounds} of ${rounds}: ${JSON.stringify(sums)}`);
      }
    };
    await Promise.all(Array.from({ length: context.form === 'short' ? 1 : atOnce }, work));
    return { ...sums };
  },
};

/** A Redis, and two workers with a state directory each. */
async function openPlace() {
  await using opening = new AsyncDisposableStack();
  const server = opening.use(await startRedisServer('everysec'));
  const env = opening.use(await createTrialEnvironment(server, { lanes: toTest, watched: false }));
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-state-'));
  opening.defer(() => rmSync(folder, { recursive: true, force: true }));
  const start = async (name: string): Promise<WorkerProcess> =>
    env.start({}, server.address, { stateDirectory: path.join(folder, name) });
  let workers: [WorkerProcess, WorkerProcess] = [await start('a'), await start('b')];
  await release(env.services, 'v1.0.0');
  await env.send(workers[0].url, await env.services.push('refs/tags/v1.0.0'));
  const laneNow = async (): Promise<LaneRecord | undefined> => env.store.lane(laneId);
  await until('the first version is verified', async () => (await laneNow())?.verified?.version === 'v1.0.0');
  const closing = opening.move();

  const ask = async (worker: WorkerProcess, to: string, body: unknown): Promise<unknown> => {
    const answer = await askWorker<unknown>(worker.url, to, body);
    mustHold(answer.status < 300, `${to}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const lanePath = `lanes/${encodeURIComponent(laneId)}`;
  const openPromotions = async (version: string) =>
    (await promotionsIn(env)).filter(
      ({ task, outcome }) => outcome === undefined && task.ref.endsWith(`/${version}`),
    );
  const isPromoted = (version: string): boolean =>
    effectsOf(env.services).promotions.some((one) => one.includes(`${version} `));

  async function push(worker: WorkerProcess, version: string): Promise<void> {
    await env.send(worker.url, await env.services.push(`refs/tags/${version}`));
    await until(`${version} is accepted`, async () => (await openPromotions(version)).length > 0);
  }

  /** As if nobody had to be waited for any longer. */
  async function waitingEnds(): Promise<void> {
    const { epoch } = keysUnder(env.services.prefix);
    for (const field of ['since', 'journalsSince']) await server.redis.hincrby(epoch, field, -10_000);
  }

  /** Whether the word of the round is in force in the records. */
  async function isInForce(word: Word, version: string): Promise<boolean> {
    if (word === 'hold') return holdsBy((await laneNow())?.holds, 'manual', version);
    if (word === 'pause') return (await env.store.pauses()).some(({ reason }) => reason === version);
    return (await promotionsIn(env)).some(
      (one) => one.task.ref.endsWith(`/${version}`) && (one.cancel ?? one.outcome) !== undefined,
    );
  }

  async function say(word: Word, version: string): Promise<void> {
    const [answering] = workers;
    if (word === 'hold') await ask(answering, `${lanePath}/hold`, { reason: version });
    if (word === 'pause') await ask(answering, 'pause', { reason: version });
    const [promotion] = await openPromotions(version);
    if (word === 'cancel') await ask(answering, `promotions/${promotion?.id ?? ''}/cancel`, {});
  }

  async function play(round: number, { random, form }: TrialContext, sums: Sums): Promise<void> {
    const version = `v1.${round}.0`;
    const [word, file] = [words[round % words.length] ?? 'hold', files[round % files.length] ?? 'before'];
    await release(env.services, version);
    if (word === 'cancel') {
      await ask(workers[0], `${lanePath}/hold`, { reason: 'before' });
      await push(workers[0], version);
      // What is older than a second is on the disk.
      await delay(1_200);
    }
    const putBack = server.copyFile();
    const sizes: { readonly at: number; readonly size: number }[] = [];
    const look = (): void => void sizes.push({ at: performance.now(), size: server.fileSize() });
    look();
    const looking = setInterval(look, 20);
    await say(word, version);
    await delay(random.below(1_300));
    clearInterval(looking);

    // Everything stops.
    for (const worker of workers) worker.signal('SIGKILL');
    const killedAt = performance.now();
    await server.kill();
    await Promise.all(workers.map(({ exited }) => exited));
    if (file === 'before') putBack();
    if (file === 'cut')
      server.cutFile(sizes.findLast(({ at }) => at < killedAt - 1_000)?.size ?? sizes[0]?.size ?? 0);
    sums['without the word'] += file === 'before' ? 1 : 0;
    sums['cut at the last fsync'] += file === 'cut' ? 1 : 0;
    await server.start();

    // The worker that did not answer is alone.
    const other = await start('b');
    const setUp =
      (await laneNow())?.holds.filter(({ reason }) => reason === 'before').map(({ id }) => id) ?? [];
    if (setUp.length > 0) await ask(other, `${lanePath}/resume`, { holds: setUp });
    if (word !== 'cancel') await push(other, version);
    if (form === 'short' || round % 10 !== 0) await waitingEnds();
    else await delay(11_000);
    await until('the lane is held, or the word is in force', async () => {
      const holds = (await laneNow())?.holds ?? [];
      return holds.length > 0 || isInForce(word, version);
    });
    await delay(random.below(1_500));
    mustHold(!isPromoted(version), `${version} was promoted before the other worker started`);

    // Its journal has the word.
    const answering = await start('a');
    workers = [answering, other];
    const name = word === 'cancel' ? 'cancel of the promotion' : version;
    const lost = async (): Promise<boolean> => holdsBy((await laneNow())?.holds, 'state-older', name);
    await until('every journal is compared', async () => {
      const missing = holdsBy((await laneNow())?.holds, 'journal-missing', '');
      return !missing && ((await lost()) || (await isInForce(word, version)));
    }).catch(async (error: unknown) => {
      const state = JSON.stringify([await laneNow(), await openPromotions(version)]);
      throw new Error(`${word}, ${file}: ${String(error)}\n${state}`, { cause: error });
    });
    const inForce = await isInForce(word, version);
    sums['words in force afterwards'] += inForce ? 1 : 0;
    sums['lanes held by the journal'] += (await lost()) ? 1 : 0;
    mustHold(
      file !== 'whole' || (inForce && !(await lost())),
      `${word}: nothing was lost, but the lane is held`,
    );
    await delay(random.below(800));
    mustHold(!isPromoted(version), `${version} was promoted although its ${word} was answered`);
    await clear();
  }

  /** As an operator: what waits is cancelled, and the lane continues. */
  async function clear(): Promise<void> {
    const [worker] = workers;
    for (const id of await env.store.openIds()) {
      const promotion = await env.store.promotion(id);
      if (promotion?.outcome === undefined) await env.store.cancel(id, 'chaos');
    }
    for (const { id } of await env.store.pauses()) await ask(worker, `pauses/${id}/resume`, {});
    await until('the lane is idle', async () => {
      const lane = await laneNow();
      const holds = lane?.holds.map(({ id }) => id) ?? [];
      if (holds.length > 0) await askWorker(worker.url, `${lanePath}/resume`, { holds });
      return holds.length === 0 && lane?.active === undefined;
    });
  }

  return { play, [Symbol.asyncDispose]: async () => closing.disposeAsync() };
}

function holdsBy(holds: readonly Hold[] = [], cause: Hold['cause'], text: string): boolean {
  return holds.some((hold) => hold.cause === cause && hold.reason.includes(text));
}
