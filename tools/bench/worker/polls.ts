import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { connectRedis } from '../../../lib/redis/connection/redis-connection.ts';
import { type Row, sampleOf } from '../measure.ts';
import { type BenchRedis, cpuMs, startBenchRedis } from './bench-redis.ts';
import { type Poll, type PollServer, startPollServer } from './poll-server.ts';
import { seedPolls } from './seed-polls.ts';
import { type PollerKind, startPoller } from './start-poller.ts';

/** A thousand polls per second in total, unless the environment gives another number of executions. */
const count = Number(process.env['MILLRACE_BENCH_EXECUTIONS'] ?? '5000');
const intervalMs = count >= 100_000 ? 30_000 : 5_000;
/** Old enough for the longest interval of the worker, a minute, which is scaled to ours. */
const ageMs = 7_200_000;
/** The two are measured in turns, because the speed of a machine changes within a minute. */
const rounds = 3;
const slices = 3;
const sliceMs = 2_500;

interface Measured {
  /** Milliseconds of CPU for a thousand polls, one value per slice. */
  readonly cpu: number[];
  readonly redisCpu: number[];
  readonly lateness: number[];
  /** Memory of Redis for each execution, after each was polled once; one value per round. */
  readonly bytes: number[];
}

const empty = (): Measured => ({ cpu: [], redisCpu: [], lateness: [], bytes: [] });

/** Many executions, polled at the same interval without a limit: the cost and the lateness of a poll. */
export async function polls(): Promise<Row[]> {
  await using redis = await startBenchRedis();
  const seen: Poll[] = [];
  await using platform = await startPollServer((poll) => {
    seen.push(poll);
    return 'running';
  });
  const bare = empty();
  const ours = empty();
  for (let i = 0; i < rounds; i += 1) {
    await measure('bare', bare, redis, platform, seen);
    await measure('millrace', ours, redis, platform, seen);
  }
  const referenceName = 'a bare BullMQ poller: undici, JSON.parse, moveToDelayed';
  const rate = 100_000 / 30;
  const share = ({ cpu }: Measured) => `${((sampleOf(cpu).medianMs * rate) / 10_000).toFixed(0)} %`;
  const row = (what: string, of: (measured: Measured) => number[], unit = ''): Row => ({
    what,
    ours: sampleOf(of(ours)),
    reference: sampleOf(of(bare)),
    referenceName,
    unit,
  });
  const all = `${count.toLocaleString('en')} executions, each polled every ${intervalMs / 1000} s`;
  return [
    row(
      `${all}: CPU of the poller for 1,000 polls (100,000 every 30 s: ${share(ours)} of a core, bare ${share(bare)})`,
      ({ cpu }) => cpu,
    ),
    row('the same: CPU of Redis for 1,000 polls', ({ redisCpu }) => redisCpu),
    row('the same: lateness of a poll, p99', ({ lateness }) => lateness),
    row(
      'the same: memory of Redis for each, once it was polled',
      ({ bytes }) => bytes.map((value) => value / 1024),
      ' KiB',
    ),
  ];
}

async function measure(
  kind: PollerKind,
  measured: Measured,
  { socket, pid, address }: BenchRedis,
  platform: PollServer,
  seen: Poll[],
): Promise<void> {
  const prefix = `{polls-${kind}}`;
  await using poller = await startPoller({
    kind,
    socket,
    prefix,
    platform: platform.urlFor(kind),
    intervalMs,
    perMinute: 1_000_000,
    pollScale: intervalMs / 60_000,
  });
  const redis = connectRedis({ address, role: 'worker' });
  const before = await usedBytes(redis);
  await seedPolls({ kind, redis, prefix, count, spreadMs: intervalMs, ageMs });
  // Each was polled once, and the code is warm.
  await delay(1.5 * intervalMs);
  for (let i = 0; i < slices; i += 1) {
    const from = { cpu: cpuMs(poller.pid), redis: cpuMs(pid), polls: seen.length };
    await delay(sliceMs);
    const thousands = (seen.length - from.polls) / 1_000;
    measured.cpu.push((cpuMs(poller.pid) - from.cpu) / thousands);
    measured.redisCpu.push((cpuMs(pid) - from.redis) / thousands);
    measured.lateness.push(latenessP99(seen, from.polls));
  }
  measured.bytes.push(((await usedBytes(redis)) - before) / count);
  await poller.kill();
  seen.length = 0;
  await redis.flushall();
  redis.disconnect();
}

/** The memory that Redis uses, without the buffers of its clients. */
async function usedBytes(redis: Redis): Promise<number> {
  const text = await redis.info('memory');
  const bytesOf = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(text)?.[1]);
  return bytesOf('used_memory') - bytesOf('mem_clients_normal');
}

/** The 99th percentile of the delay of a poll beyond the interval, in milliseconds. */
function latenessP99(seen: readonly Poll[], from: number): number {
  const last = new Map<string, number>();
  const late: number[] = [];
  for (const [i, { id, at }] of seen.entries()) {
    const before = last.get(id);
    if (i >= from && before !== undefined) late.push(at - before - intervalMs);
    last.set(id, at);
  }
  return late.toSorted((a, b) => a - b)[Math.floor(late.length * 0.99)] ?? Number.NaN;
}
