import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { systemClock } from '../../../lib/core/system-clock.ts';
import { keysUnder } from '../../../worker/store/keys.ts';
import { createLaneStore } from '../../../worker/store/lane-store.ts';
import { advanceJobId } from '../../../worker/store/job-kinds.ts';
import type { LanePlan } from '../../../worker/records/plan.ts';
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
 * a job per execution. Returns the number of bytes per execution in Redis.
 */
export async function seedPolls({ kind, redis, prefix, count, spreadMs, ageMs }: Seeding): Promise<number> {
  const before = await usedBytes(redis);
  const queue = new Queue(kind === 'bare' ? 'polls' : 'promotion', { connection: redis, prefix });
  const now = systemClock.now();
  for (let from = 0; from < count; from += 500) {
    const numbers = Array.from({ length: Math.min(500, count - from) }, (_, i) => from + i);
    if (kind === 'millrace') await makePromotions(redis, prefix, numbers, now - ageMs);
    await queue.addBulk(
      numbers.map((i) => {
        const delay = Math.round((spreadMs * i) / count);
        const fleeting = { delay, removeOnComplete: true, removeOnFail: true };
        if (kind === 'bare')
          return {
            name: 'poll',
            data: { id: executionOf(i), since: now },
            opts: { jobId: `l-${i}`, ...fleeting },
          };
        return {
          name: 'advance',
          data: { promotionId: `promotion-${i}` },
          opts: { jobId: advanceJobId(`promotion-${i}`), ...fleeting },
        };
      }),
    );
  }
  await queue.close();
  return ((await usedBytes(redis)) - before) / count;
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
        plan: {
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

function laneOf(i: number): LanePlan {
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

async function usedBytes(redis: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);
}
