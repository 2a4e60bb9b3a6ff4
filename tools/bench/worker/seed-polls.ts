import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { keysUnder } from '../../../worker/store/scripts/keys.ts';
import { createLaneStore } from '../../../worker/app/lane-store.ts';
import { advanceJobId, queueNames } from '../../../worker/store/jobs/job-kinds.ts';
import { openQueues } from '../../../worker/store/jobs/work-queues.ts';
import type { PromotionLane } from '../../../worker/records/promotion-task.ts';
import type { Step } from '../../../worker/records/promotion-record.ts';
import { benchProject, benchVersion } from './policy-for.ts';
import type { PollerKind } from './start-poller.ts';

export interface Seeding {
  readonly kind: PollerKind;
  readonly redis: Redis;
  readonly prefix: string;
  readonly count: number;
  /** The first polls are spread over this time, in milliseconds. */
  readonly spreadMs: number;
  /** The age of the executions, in milliseconds. */
  readonly ageMs: number;
}

export const executionOf = (i: number): string => `e${i}`;

const day = 86_400_000;

/**
 * Creates executions to poll: for the worker a lane with a promotion at the step `watch` per execution, for the bare program
 * a job per execution.
 */
export async function seedPolls({ kind, redis, prefix, count, spreadMs, ageMs }: Seeding): Promise<void> {
  const now = systemClock.now();
  const delayOf = (i: number): number => Math.round((spreadMs * i) / count);
  if (kind === 'millrace') await seedWorker({ redis, prefix, count, since: now - ageMs, now, delayOf });
  else await seedBare({ redis, prefix, count, now, delayOf });
}

interface Seeded extends Pick<Seeding, 'redis' | 'prefix' | 'count'> {
  readonly now: number;
  /** Milliseconds until the first poll of an execution. */
  readonly delayOf: (i: number) => number;
}

async function seedBare({ redis, prefix, count, now, delayOf }: Seeded): Promise<void> {
  const queue = new Queue('polls', { connection: redis, prefix });
  for (const numbers of chunksOf(count))
    await queue.addBulk(
      numbers.map((i) => ({
        name: 'poll',
        data: { id: executionOf(i), since: now },
        opts: { jobId: `l-${i}`, delay: delayOf(i), removeOnComplete: true, removeOnFail: true },
      })),
    );
  await queue.close();
}

/** Enqueues the polls as the worker does, and delays them as the end of an advance does. */
async function seedWorker({
  redis,
  prefix,
  count,
  since,
  now,
  delayOf,
}: Seeded & { readonly since: number }): Promise<void> {
  const queues = openQueues(redis, prefix, () => undefined);
  // With the settings of the worker's own: BullMQ keeps the settings of the last one that was opened.
  const queue = new Queue(queueNames.promotion, {
    connection: redis,
    prefix,
    streams: { events: { maxLen: 1_000 } },
  });
  // The worker runs already.
  await queue.pause();
  for (const numbers of chunksOf(count)) {
    await makePromotions(redis, prefix, numbers, since);
    await Promise.all(numbers.map((i) => queues.enqueueAdvance(`promotion-${i}`)));
    const delayed = redis.pipeline();
    for (const i of numbers) {
      const [job, score] = [advanceJobId(`promotion-${i}`), (now + delayOf(i)) * 0x1000];
      delayed.lrem(`${queues.advanceKeys}wait`, 1, job);
      delayed.hset(`${queues.advanceKeys}${job}`, 'delay', delayOf(i));
      delayed.zadd(`${queues.advanceKeys}delayed`, score, job);
    }
    await delayed.exec();
  }
  await queue.resume();
  await queue.close();
  await queues.close();
}

function chunksOf(count: number): readonly (readonly number[])[] {
  const chunk = 500;
  return Array.from({ length: Math.ceil(count / chunk) }, (_, i) =>
    Array.from({ length: Math.min(chunk, count - i * chunk) }, (__, j) => i * chunk + j),
  );
}

async function makePromotions(
  redis: Redis,
  prefix: string,
  numbers: readonly number[],
  since: number,
): Promise<void> {
  const keys = keysUnder(prefix);
  const store = createLaneStore(redis, keys, systemClock);
  const commit = 'c'.repeat(40);
  await Promise.all(
    numbers.map((i) =>
      store.accept({
        promotionId: `promotion-${i}`,
        order: 'any',
        head: { field: 'refs/heads/main', value: commit },
        task: {
          repository: { id: 77, fullName: 'example/warehouse' },
          ref: 'refs/heads/main',
          commit,
          delivery: 'bench',
          version: { kind: 'named', name: benchVersion },
          lane: laneOf(i),
        },
      }),
    ),
  );
  const written = redis.pipeline();
  for (const i of numbers) {
    const step: Step = { name: 'watch', verify: 0, since, executionId: executionOf(i) };
    // Their status updates are already sent: only polls are measured.
    written.hset(keys.promotion(`promotion-${i}`), { step: JSON.stringify(step), reported: '9' });
  }
  await written.exec();
}

function laneOf(i: number): PromotionLane {
  return {
    name: 'to-test',
    id: `77:${benchProject}:${i}`,
    project: benchProject,
    credential: 'platform',
    from: 'dev',
    to: 'test',
    policy: 'latest',
    verify: [{ pipeline: 'daily/load', timeout: day, variables: {} }],
    onFailure: 'hold',
    gates: { approvals: 0, authorsMayApprove: true, checks: [], soak: 0, freeze: [], windows: [] },
    next: [],
  };
}
