import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { deliver } from '../../../test/environment/worker/worker-environment.ts';
import { type Row, sampleOf } from '../measure.ts';
import { type BenchRedis, cpuMs, startBenchRedis } from './bench-redis.ts';
import type { PollerKind } from './start-poller.ts';
import { type Promoter, startPromoter } from './start-promoter.ts';
import { until } from './until.ts';

const pushes = Number(process.env['MILLRACE_BENCH_PROMOTIONS'] ?? '45');
/** Idle time between two pushes, as in a real repository. */
const idleMs = 150;
interface Subject extends Promoter {
  readonly latencies: number[];
  readonly cpu: number[];
  /** Requests to GitHub before the first call of the platform. */
  readonly reads: number[];
}

/** Single pushes to an idle worker: the time to the first call to the platform, and the cost of a whole promotion. */
export async function wholePromotion(): Promise<Row[]> {
  await using redis = await startBenchRedis();
  await using bare = await startSubject('bare', redis);
  await using millrace = await startSubject('millrace', redis);
  for (let i = 0; i <= pushes; i += 1) {
    for (const subject of i % 2 === 0 ? [bare, millrace] : [millrace, bare]) await promotion(subject, i);
  }
  const referenceName = 'a bare BullMQ program: verify, add, read the head, promote, start, poll, status';
  const reads = (of: Subject): number => sampleOf(of.reads).medianMs;
  const p99 = (of: readonly number[]) =>
    of.toSorted((a, b) => a - b)[Math.floor(of.length * 0.99)] ?? Number.NaN;
  const row = (what: string, ours: readonly number[], reference: readonly number[]): Row => ({
    what,
    ours: sampleOf(ours),
    referenceName,
    reference: sampleOf(reference),
  });
  return [
    row(
      `push to the first call of the platform, idle (${reads(millrace)} reads of GitHub come first; bare ${reads(bare)})`,
      millrace.latencies,
      bare.latencies,
    ),
    row('the same: p99', [p99(millrace.latencies)], [p99(bare.latencies)]),
    row(
      'CPU of the worker’s process for a whole promotion, from the push to the final status',
      millrace.cpu,
      bare.cpu,
    ),
  ];
}

async function startSubject(kind: PollerKind, redis: BenchRedis): Promise<Subject> {
  const promoter = await startPromoter(kind, redis, [{ target: 'test', tags: 'v' }]);
  return { ...promoter, latencies: [], cpu: [], reads: [] };
}

/** One push, up to the final status on GitHub. The first one is a warm-up and does not count. */
async function promotion({ env, url, pid, latencies, cpu, reads }: Subject, i: number): Promise<void> {
  const version = `v1.0.${i}`;
  const commit = await env.repository.commit('main', { 'notes.txt': version });
  await env.repository.tag(version, commit);
  await env.publish(version, commit);
  const push = await env.push(`refs/tags/${version}`);
  await delay(idleMs);
  let first: number | undefined;
  const asked = env.github.requests.length;
  let read = 0;
  env.wire.interfere(() => {
    if (first !== undefined) return;
    first = performance.now();
    read = env.github.requests.length - asked;
  });
  const before = cpuMs(pid);
  const sent = performance.now();
  await deliver(url, push);
  await until(() => env.status(commit, 'millrace/to-test')?.startsWith('success') === true, 30_000);
  env.wire.interfere(undefined);
  if (i === 0) return;
  latencies.push((first ?? Number.NaN) - sent);
  cpu.push(cpuMs(pid) - before);
  reads.push(read);
}
