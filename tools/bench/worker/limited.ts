import process from 'node:process';
import { connectRedis } from '../../../lib/redis/connection/redis-connection.ts';
import { keysUnder } from '../../../worker/store/scripts/keys.ts';
import { type Row, sampleOf } from '../measure.ts';
import { type BenchRedis, startBenchRedis } from './bench-redis.ts';
import { type Poll, startPollServer, type Verdict } from './poll-server.ts';
import { executionOf, seedPolls } from './seed-polls.ts';
import { type PollerKind, startPoller } from './start-poller.ts';
import { until } from './until.ts';

/**
 * A minute lasts twelve seconds here, so that the whole benchmark takes less than a minute: all waits and durations are a
 * fifth. The platform enforces the limit: it refuses requests above the limit in any twelve seconds.
 * `MILLRACE_BENCH_MINUTE=60` uses real minutes.
 */
const scale = 60 / Number(process.env['MILLRACE_BENCH_MINUTE'] ?? 12);
const limit = 1_000;
const windowMs = 60_000 / scale;
const count = 2_000;
/** The executions end one after the other within this time, in milliseconds. */
const endsMs = 60_000 / scale;

interface Watched {
  /** Milliseconds from the end of each execution until the poller saw it, in real time. */
  readonly delays: readonly number[];
  readonly refused: number;
  /** The maximum number of requests in any window. */
  readonly maxInWindow: number;
  readonly lost: number;
}

/** Many executions under a rate limit: how late their ends are seen, and whether the limit holds. */
export async function limited(): Promise<Row[]> {
  await using redis = await startBenchRedis();
  // Both mostly wait, so they can run at the same time.
  const [bare, ours] = await Promise.all([watch('bare', redis), watch('millrace', redis)]);
  const describe = ({ refused, lost, maxInWindow }: Watched) =>
    `${refused} × 429, ${lost} lost, at most ${maxInWindow} per minute`;
  const what = `${count.toLocaleString('en')} executions under ${limit.toLocaleString('en')} requests a minute (of ${windowMs / 1_000} s here)`;
  const referenceName = 'a bare BullMQ poller with BullMQ’s limiter';
  return [
    {
      what: `${what}: median delay to see an end; ours ${describe(ours)}; bare ${describe(bare)}`,
      ours: sampleOf(inSeconds(ours)),
      referenceName,
      reference: sampleOf(inSeconds(bare)),
      unit: ' s',
    },
  ];
}

const inSeconds = ({ delays }: Watched): number[] => delays.map((ms) => ms / 1_000);

async function watch(kind: PollerKind, { socket, address }: BenchRedis): Promise<Watched> {
  const prefix = `{limited-${kind}}`;
  const redis = connectRedis({ address, role: 'worker' });
  const seen = new Map<string, number>();
  const recent: number[] = [];
  let refused = 0;
  let maxInWindow = 0;
  let startedAt = Infinity;
  const endOf = (id: string): number => startedAt + (endsMs * Number(id.slice(1))) / count;

  function judge({ id, at }: Poll): Verdict {
    while ((recent[0] ?? at) < at - windowMs) recent.shift();
    if (recent.length >= limit) {
      refused += 1;
      return 'too many';
    }
    recent.push(at);
    maxInWindow = Math.max(maxInWindow, recent.length);
    if (at < endOf(id)) return 'running';
    if (!seen.has(id)) seen.set(id, at);
    return 'success';
  }

  await using platform = await startPollServer(judge);
  await using poller = await startPoller({
    kind,
    socket,
    prefix,
    platform: platform.urlFor(kind),
    intervalMs: windowMs,
    perMinute: limit,
    rateLimitWindowMs: windowMs,
    pollScale: 1 / scale,
    limiter: { max: limit, duration: windowMs },
  });
  await seedPolls({ kind, redis, prefix, count, spreadMs: windowMs, ageMs: 0 });
  startedAt = performance.now();
  await until(() => seen.size === count, 450_000 / scale);
  const ids = Array.from({ length: count }, (_, i) => executionOf(i)).filter((id) => seen.has(id));
  const lost = await lostOf(kind, redis, prefix, seen.size);
  await poller.kill();
  redis.disconnect();
  return { delays: ids.map((id) => ((seen.get(id) ?? 0) - endOf(id)) * scale), refused, lost, maxInWindow };
}

/** The number of executions whose end was not seen. For the worker, also promotions that did not pass. */
async function lostOf(
  kind: PollerKind,
  redis: ReturnType<typeof connectRedis>,
  prefix: string,
  seen: number,
): Promise<number> {
  if (kind === 'bare') return count - seen;
  const keys = keysUnder(prefix);
  const outcomes = async () => {
    const read = redis.pipeline();
    for (let i = 0; i < count; i += 1) read.hget(keys.promotion(`promotion-${i}`), 'outcome');
    return (await read.exec())?.filter(([, outcome]) => outcome === 'passed').length ?? 0;
  };
  await until(async () => (await outcomes()) === count, 60_000);
  return count - (await outcomes());
}
