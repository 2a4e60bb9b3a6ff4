import { createHash } from 'node:crypto';
import process from 'node:process';
import { expect, test } from 'vitest';
import { ingestPush } from '../../../../worker/intake/ingest/ingest-push.ts';
import type { PushEvent } from '../../../../worker/records/push-event.ts';
import { ingestRetryDelay } from '../../../../worker/store/jobs/work-queues.ts';
import { testRedis } from '../../../environment/redis.ts';
import { createIngestContext } from '../ingest/ingest-context.ts';
import { createManyRepositories, sweepMs } from './many-repositories.ts';

const redis = testRedis();
const count = 1_000;
const hours = 24;
const sweepsPerHour = 3_600_000 / sweepMs;
/** Pushes whose webhook arrives, in an hour. */
const usualPushes = 12;
/** In the busiest hour of the day: with the sweeps, close to what GitHub allows. */
const manyPushes = 396;
const busiestHour = 12;

test.each(['heads', 'hook'] as const)(
  'for 24 hours, 1,000 repositories need fewer than 2,500 requests an hour, each is looked at every 15 minutes, and no push waits a minute (%s)',
  { timeout: 1_800_000 },
  async (as) => {
    const many = await createManyRepositories(redis, { count, as });
    const { builders, clock, github, state, accepted, port, createOne } = many;
    const { context } = createIngestContext(redis, many.prefix, port, { config: many.config, clock });
    const sweeper = createOne();

    /** From the webhook until the push is taken in, by the clock of the worker. */
    async function takeIn(index: number, tag: string): Promise<number> {
      const repository = index % count;
      const commit = await builders[repository]?.tag(tag, 'main');
      if (commit === undefined) throw new Error(`There is no repository ${repository}.`);
      let event = pushOf(repository, tag, commit, clock.now());
      for (let attempt = 1; ; attempt += 1) {
        const waitMs = await ingestPush(event, context).then(
          (result) => {
            if (result.status === 'waits') event = result.event;
            else expect(result.text).toBe('accepted by 1 of 1 lanes');
            return result.status === 'waits' ? result.ms : undefined;
          },
          () => ingestRetryDelay(attempt, () => 0.5),
        );
        if (waitMs === undefined) return clock.now() - event.receivedAt;
        await clock.advance(waitMs);
      }
    }

    const ofSweeps: number[] = [];
    const inAll: number[] = [];
    let oldestMs = 0;
    let latestMs = 0;
    let pushes = 0;
    for (let hour = 0; hour < hours; hour += 1) {
      await builders[hour]?.tag(`v1.${hour}.0`, 'main');
      const before = github.requests.length;
      let ofPushes = 0;
      for (let sweep = 0; sweep < sweepsPerHour; sweep += 1) {
        await sweeper.tick();
        const swept = github.requests.length;
        const some = (hour === busiestHour ? manyPushes : usualPushes) / sweepsPerHour;
        for (let i = 0; i < some; i += 1) {
          pushes += 1;
          latestMs = Math.max(latestMs, await takeIn(hours + pushes, `v2.${pushes}.0`));
        }
        ofPushes += github.requests.length - swept;
        await clock.advance(sweepMs);
        const looks = await state.readTimes();
        expect(looks.size).toBe(count);
        oldestMs = Math.max(oldestMs, clock.now() - Math.min(...looks.values()));
      }
      inAll.push(github.requests.length - before);
      ofSweeps.push(github.requests.length - before - ofPushes);
    }
    process.stdout.write(`${as} ${JSON.stringify({ ofSweeps, inAll, oldestMs, latestMs, pushes })}\n`);
    // The first hour finds the source of each repository.
    expect(Math.max(...ofSweeps.slice(1))).toBeLessThan(2_500);
    expect(oldestMs).toBeLessThanOrEqual(15 * 60_000);
    expect(latestMs).toBeLessThanOrEqual(60_000);
    const refused = github.requests.filter(({ status, path }) => status !== 200 && !path.endsWith('/hooks'));
    expect(refused).toEqual([]);
    // All but the first tag, which was there when the worker began, and those whose webhook arrived.
    if (as === 'heads') expect(accepted).toHaveLength(hours - 1);
  },
);

function pushOf(index: number, tag: string, commit: string, receivedAt: number): PushEvent {
  const name = `example/repository-${index}`;
  return {
    repositoryId: index + 1,
    repositoryName: name,
    ref: `refs/tags/${tag}`,
    before: '0'.repeat(40),
    after: commit,
    created: true,
    deleted: false,
    forced: false,
    sender: 'octocat',
    delivery: `d-${index}-${tag}`,
    digest: createHash('sha256').update(`${name} ${tag}`).digest('hex'),
    receivedAt,
  };
}
