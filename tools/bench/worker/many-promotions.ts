import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { deliver } from '../../../test/environment/worker/worker-environment.ts';
import { type Row, sampleOf } from '../measure.ts';
import { cpuMs, startBenchRedis } from './bench-redis.ts';
import { type Promoter, startPromoter } from './start-promoter.ts';
import { until } from './until.ts';

/** Rounds that count; one before them warms up. */
const rounds = Number(process.env['MILLRACE_BENCH_ROUNDS'] ?? '5');
/** Enough that the promotion before has ended when a lane gets the next push: one that still waits would be superseded. */
const lanes = [1, 2, 3, 4, 5, 6, 7, 8].map((nth) => ({ target: `target-${nth}`, tags: `v${nth}.` }));
const pushesOfLane = 2;
/** Interval between two pushes; longer if the repository takes longer to commit. */
const everyMs = 100;

/** Pushes to eight lanes, ten a second: what a promotion costs if many run at once. */
export async function manyPromotions(): Promise<Row[]> {
  await using redis = await startBenchRedis();
  await using bare = await startPromoter('bare', redis, lanes);
  await using millrace = await startPromoter('millrace', redis, lanes);
  const [ours, reference]: [number[], number[]] = [[], []];
  const pairs = [
    [bare, reference],
    [millrace, ours],
  ] as const;
  for (let round = 0; round <= rounds; round += 1) {
    for (const [promoter, cpu] of round % 2 === 0 ? pairs : pairs.toReversed()) {
      const each = await promoteAll(promoter, round);
      if (round > 0) cpu.push(each);
    }
  }
  return [
    {
      what: `CPU of the worker’s process for each of ${rounds * lanes.length * pushesOfLane} promotions, ${1_000 / everyMs} pushes a second`,
      ours: sampleOf(ours),
      referenceName: 'a bare BullMQ program: verify, add, read the head, promote, start, poll, status',
      reference: sampleOf(reference),
    },
  ];
}

/** Promotes versions in all lanes. Returns the milliseconds of CPU for each of them. */
async function promoteAll({ env, url, pid }: Promoter, round: number): Promise<number> {
  await delay(500);
  const before = cpuMs(pid);
  const pushed: { commit: string; context: string }[] = [];
  for (let i = 0; i < pushesOfLane; i += 1)
    for (const { target, tags } of lanes) {
      const due = delay(everyMs);
      const version = `${tags}${round}.${i}`;
      const commit = await env.repository.commit('main', { 'notes.txt': version });
      await env.repository.tag(version, commit);
      await env.publish(version, commit);
      await deliver(url, await env.push(`refs/tags/${version}`));
      pushed.push({ commit, context: `millrace/to-${target}` });
      await due;
    }
  const isDone = ({ commit, context }: (typeof pushed)[number]): boolean =>
    env.status(commit, context)?.startsWith('success') === true;
  await until(() => pushed.every(isDone), 60_000);
  if (!pushed.every(isDone)) throw new Error('Not every version was promoted in a minute.');
  // The last status is not the end of the work: its answer, and the end of its job, belong to the promotion too.
  await delay(200);
  return (cpuMs(pid) - before) / pushed.length;
}
