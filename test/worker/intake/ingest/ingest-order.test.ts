import { expect, test } from 'vitest';
import { createIngestOrder } from '../../../../worker/intake/ingest/ingest-order.ts';
import { keysUnder } from '../../../../worker/store/keys.ts';
import { manualClock } from '../../../environment/clock.ts';
import { testRedis } from '../../../environment/redis.ts';

const redis = testRedis();

function createTestEnvironment() {
  const clock = manualClock();
  const keys = keysUnder(`{order-${crypto.randomUUID()}}`);
  const order = createIngestOrder(redis.connect(), keys, { clock, maxWaitMs: 5_000 });
  return {
    clock,
    place: (receivedAt: number, repositoryId = 1) => order.enter({ repositoryId, receivedAt }),
  };
}

/** The second waits until the first is taken in, and then no longer. */
async function inOrder(
  { clock, place }: ReturnType<typeof createTestEnvironment>,
  first: Awaited<ReturnType<typeof place>>,
  second: Awaited<ReturnType<typeof place>>,
): Promise<string> {
  await first.untilFirst();
  const waiting = second.untilFirst().then(() => 'its turn');
  await clock.asleep();
  await first[Symbol.asyncDispose]();
  await clock.advance(50);
  return await waiting;
}

test('a push waits for earlier pushes of its repository only', async () => {
  const here = createTestEnvironment();
  const later = await here.place(20);
  const first = await here.place(10);
  const elsewhere = await here.place(15, 2);
  await elsewhere.untilFirst();
  expect(await inOrder(here, first, later)).toBe('its turn');
});

test('of two pushes in the same millisecond, the one whose ingest began first goes first', async () => {
  const here = createTestEnvironment();
  expect(await inOrder(here, await here.place(10), await here.place(10))).toBe('its turn');
});

test('one whose worker died holds the others up for some seconds only', async () => {
  const { clock, place } = createTestEnvironment();
  await place(10);
  const begun = clock.now();
  const waiting = (await place(20)).untilFirst().then(() => clock.now() - begun);
  for (let passed = 0; passed < 5_000; passed += 50) {
    await clock.asleep();
    await clock.advance(50);
  }
  expect(await waiting).toBe(5_000);
  await (await place(30)).untilFirst();
});
