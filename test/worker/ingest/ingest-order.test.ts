import { expect, test } from 'vitest';
import { createIngestOrder } from '../../../worker/ingest/ingest-order.ts';
import { keysUnder } from '../../../worker/lanes/keys.ts';
import { manualClock } from '../../clock.ts';
import { testRedis } from '../../redis.ts';

const redis = testRedis();

function begin() {
  const clock = manualClock();
  const keys = keysUnder(`{order-${crypto.randomUUID()}}`);
  const order = createIngestOrder(redis.connect(), keys, { clock, longestMs: 5_000 });
  return {
    clock,
    place: (receivedAt: number, repositoryId = 1) => order.begin({ repositoryId, receivedAt }),
  };
}

test('a push waits for those of its repository that came before it, and for no other', async () => {
  const { clock, place } = begin();
  const later = await place(20);
  const first = await place(10);
  const elsewhere = await place(15, 2);
  await first.untilFirst();
  await elsewhere.untilFirst();
  const waiting = later.untilFirst().then(() => 'its turn');
  await clock.asleep();
  await first[Symbol.asyncDispose]();
  await clock.advance(50);
  expect(await waiting).toBe('its turn');
});

test('of two that came in the same millisecond, the one that was taken up first goes first', async () => {
  const { clock, place } = begin();
  const first = await place(10);
  const second = await place(10);
  await first.untilFirst();
  const waiting = second.untilFirst().then(() => 'its turn');
  await clock.asleep();
  await first[Symbol.asyncDispose]();
  await clock.advance(50);
  expect(await waiting).toBe('its turn');
});

test('one whose worker died holds the others up for some seconds only', async () => {
  const { clock, place } = begin();
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
