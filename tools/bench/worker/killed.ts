import { connectRedis } from '../../../lib/redis/connection/redis-connection.ts';
import { type Row, sampleOf } from '../measure.ts';
import { type BenchRedis, startBenchRedis } from './bench-redis.ts';
import { type PollServer, startPollServer } from './poll-server.ts';
import { executionOf, seedPolls } from './seed-polls.ts';
import { type PollerKind, type PollerOptions, startPoller } from './start-poller.ts';
import { until } from './until.ts';

const trials = 3;
/** Promotions that are active in each trial. A kill affects those that the killed process is polling. */
const promotions = 4;

/** The state of one kind of poller: which polls hang in which worker, and when another worker took over. */
interface Trial {
  armed: boolean;
  owner: string | undefined;
  readonly hanging: Set<string>;
  readonly taken: Map<string, number>;
}

/** Two workers, of which one is killed during a promotion: the time until the other worker continues it. */
export async function killed(): Promise<Row[]> {
  await using redis = await startBenchRedis();
  const state = { millrace: trialOf(), bare: trialOf() };
  await using platform = await startPollServer(({ id, by, at }) => {
    const [kind, worker] = by.split('-') as [PollerKind, string];
    const trial = state[kind];
    if (trial.armed && (trial.owner ?? worker) === worker) {
      trial.owner = worker;
      trial.hanging.add(id);
      return 'hang';
    }
    if (trial.hanging.has(id) && !trial.taken.has(id)) trial.taken.set(id, at);
    return 'running';
  });
  // Both mostly wait, so they can run at the same time.
  const [ours, bare] = await Promise.all([
    measure('millrace', state.millrace, redis, platform),
    measure('bare', state.bare, redis, platform),
  ]);
  return [
    {
      what: `kill -9 of the worker that advances a promotion, until another worker continues it (promised: at most 5 s; maximum ${(Math.max(...ours) / 1000).toFixed(1)} s)`,
      ours: sampleOf(ours),
      referenceName: 'a bare BullMQ poller with the same lock times',
      reference: sampleOf(bare),
    },
  ];
}

const trialOf = (): Trial => ({ armed: false, owner: undefined, hanging: new Set(), taken: new Map() });

async function measure(
  kind: PollerKind,
  trial: Trial,
  { socket, address }: BenchRedis,
  platform: PollServer,
): Promise<number[]> {
  const prefix = `{killed-${kind}}`;
  const options = (worker: string): PollerOptions => ({
    kind,
    socket,
    prefix,
    platform: platform.urlFor(`${kind}-${worker}`),
    intervalMs: 300,
    perMinute: 100_000,
    pollScale: 0.3,
  });
  const workers = new Map([
    ['0', await startPoller(options('0'))],
    ['1', await startPoller(options('1'))],
  ]);
  const redis = connectRedis({ address, role: 'worker' });
  const took: number[] = [];
  try {
    await seedPolls({ kind, redis, prefix, count: promotions, spreadMs: 300, ageMs: 0 });
    for (let i = 0; i < trials; i += 1) {
      trial.hanging.clear();
      trial.taken.clear();
      trial.owner = undefined;
      trial.armed = true;
      await until(() => trial.hanging.size > 0, 10_000);
      trial.armed = false;
      const [id = executionOf(0)] = trial.hanging;
      const owner = trial.owner ?? '0';
      const at = performance.now();
      await workers.get(owner)?.kill();
      await until(() => trial.taken.has(id), 60_000);
      took.push((trial.taken.get(id) ?? Number.NaN) - at);
      workers.set(owner, await startPoller(options(owner)));
    }
  } finally {
    for (const worker of workers.values()) await worker.kill();
    redis.disconnect();
  }
  return took;
}
