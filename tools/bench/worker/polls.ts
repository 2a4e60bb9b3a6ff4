import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { connectRedis } from '../../../lib/redis/redis-connection.ts';
import { type Row, sampleOf } from '../measure.ts';
import { type BenchRedis, cpuMs, startBenchRedis } from './bench-redis.ts';
import { type Look, type LookServer, startLookServer } from './look-server.ts';
import { seedLooks } from './seed-looks.ts';
import { type PollerKind, startPoller } from './start-poller.ts';

/** The same rate for each execution, a thousand a second in all, unless the environment asks for all of them. */
const isFull = process.env['MILLRACE_BENCH_EXECUTIONS'] === '100000';
const count = isFull ? 100_000 : 5_000;
const intervalMs = isFull ? 30_000 : 5_000;
/** Old enough for the longest interval of the worker, a minute, which is scaled to ours. */
const ageMs = 7_200_000;
const slices = 5;
const sliceMs = 2_500;

interface Measured {
  /** Milliseconds of CPU for a thousand looks, one value a slice. */
  readonly cpu: number[];
  readonly redisCpu: number[];
  readonly lateness: number[];
  readonly bytes: number;
}

/** Many executions, each looked at as often, without a limit: what a look costs and how late it comes. */
export async function polls(): Promise<Row[]> {
  await using redis = await startBenchRedis();
  const seen: Look[] = [];
  await using platform = await startLookServer((look) => {
    seen.push(look);
    return 'running';
  });
  const bare = await measure('bare', redis, platform, seen);
  const ours = await measure('millrace', redis, platform, seen);
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
  const all = `${count.toLocaleString('en')} executions, a look at each every ${intervalMs / 1000} s`;
  return [
    row(
      `${all}: CPU of the poller for 1,000 looks (100,000 every 30 s: ${share(ours)} of a core, bare ${share(bare)})`,
      ({ cpu }) => cpu,
    ),
    row('the same: CPU of Redis for 1,000 looks', ({ redisCpu }) => redisCpu),
    row('the same: lateness of a look, p99', ({ lateness }) => lateness),
    row('the same: memory of Redis for each', ({ bytes }) => [bytes / 1024], ' KiB'),
  ];
}

async function measure(
  kind: PollerKind,
  { socket, pid, address }: BenchRedis,
  platform: LookServer,
  seen: Look[],
): Promise<Measured> {
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
  const bytes = await seedLooks({ kind, redis, prefix, count, spreadMs: intervalMs, ageMs });
  // Each was looked at once, and the code is warm.
  await delay(1.5 * intervalMs);
  const measured: Measured = { cpu: [], redisCpu: [], lateness: [], bytes };
  for (let i = 0; i < slices; i += 1) {
    const from = { cpu: cpuMs(poller.pid), redis: cpuMs(pid), looks: seen.length };
    await delay(sliceMs);
    const looks = (seen.length - from.looks) / 1_000;
    measured.cpu.push((cpuMs(poller.pid) - from.cpu) / looks);
    measured.redisCpu.push((cpuMs(pid) - from.redis) / looks);
    measured.lateness.push(latenessP99(seen, from.looks));
  }
  await poller.kill();
  seen.length = 0;
  redis.disconnect();
  return measured;
}

/** By how much the time between two looks at one execution was longer than it should be. */
function latenessP99(seen: readonly Look[], from: number): number {
  const last = new Map<string, number>();
  const late: number[] = [];
  for (const [i, { id, at }] of seen.entries()) {
    const before = last.get(id);
    if (i >= from && before !== undefined) late.push(at - before - intervalMs);
    last.set(id, at);
  }
  return late.toSorted((a, b) => a - b)[Math.floor(late.length * 0.99)] ?? Number.NaN;
}
