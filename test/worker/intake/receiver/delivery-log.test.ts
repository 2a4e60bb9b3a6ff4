import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createDeliveryLog } from '../../../../worker/store/deliveries/delivery-log.ts';
import { manualClock } from '../../../environment/clock.ts';
import { testRedis } from '../../../environment/redis.ts';
import { eventually } from '../../../environment/worker/eventually.ts';

const redis = testRedis();

function open() {
  const keys = keysUnder(`{d-${randomUUID()}}`);
  const clock = manualClock();
  const connection = redis.connect();
  // What it notes has the test's time; how long it gathers lines is real.
  const times = { now: clock.now, sleep: systemClock.sleep };
  return { keys, clock, connection, log: createDeliveryLog(connection, keys, times) };
}

const from = (delivery: string, event = 'push') => ({
  'x-github-delivery': delivery,
  'x-github-event': event,
});
const accepted = { status: 202, result: 'accepted', reason: 'accepted' } as const;
const refused = { status: 401, result: 'refused', reason: 'invalid signature' } as const;

/** Ends only with its signal. */
const neverOverSleep = async (_ms: number, signal?: AbortSignal): Promise<void> => {
  if (signal !== undefined && !signal.aborted) await once(signal, 'abort');
};

test('a delivery is listed with its answer and the last result of its ingest', async () => {
  const { log, clock } = open();
  log.answered(from('a'), accepted);
  await clock.advance(10);
  log.ingestResult('a', 'not ingested yet: no answer; retrying', {});
  log.answered(from('b', 'ping'), { status: 200, result: 'pong', reason: 'pong' });
  await clock.advance(10);
  log.ingestResult('a', 'accepted by 1 of 1 lanes', {});
  log.ingestResult('sweep-1', 'accepted by 1 of 1 lanes', {});
  await eventually(async () => (await log.list(10)).length).toBe(3);
  expect(await log.list(10)).toMatchObject([
    { delivery: 'sweep-1', result: 'found', ingestResult: 'accepted by 1 of 1 lanes' },
    { delivery: 'b', event: 'ping', result: 'pong', ingestResult: undefined },
    {
      delivery: 'a',
      event: 'push',
      status: 202,
      result: 'accepted',
      ingestResult: 'accepted by 1 of 1 lanes',
    },
  ]);
  expect(await log.list(1)).toHaveLength(1);
});

test('at its end it writes at once what it gathers', async () => {
  const { keys, connection } = open();
  const neverOver = { now: () => 0, sleep: neverOverSleep };
  const log = createDeliveryLog(connection, keys, neverOver);
  log.answered(from('a'), accepted);
  expect(await log.list(10)).toEqual([]);
  await log.close();
  expect(await log.list(10)).toMatchObject([{ delivery: 'a' }]);
});

test('its end does not wait for a Redis that does not answer', async () => {
  const { keys } = open();
  const silent = { defineCommand: () => undefined } as unknown as Parameters<typeof createDeliveryLog>[0];
  const asked = Promise.withResolvers<void>();
  Reflect.set(silent, 'lua:add-deliveries', () => {
    asked.resolve();
    return new Promise(() => undefined);
  });
  const clock = manualClock();
  const log = createDeliveryLog(silent, keys, clock);
  log.answered(from('a'), accepted);
  const closed = log.close();
  await asked.promise;
  await clock.advance(1_000);
  expect(await closed).toBeUndefined();
});

test('it is capped, expires, takes no foreign header as it is, and lists one refusal a second', async () => {
  const { log, clock, connection, keys } = open();
  log.answered(from('<script>', 'x'.repeat(200)), refused);
  log.answered(from('b'), refused);
  await clock.advance(1_000);
  log.answered(from('c'), refused);
  await eventually(async () => (await log.list(10)).length).toBe(2);
  expect(await log.list(10)).toMatchObject([{ delivery: 'c' }, { delivery: '', event: '' }]);
  for (let i = 0; i < 1_500; i += 1) log.ingestResult(`d${i}`, 'x'.repeat(1_000), {});
  await eventually(() => connection.llen(keys.deliveries)).toBe(1_000);
  expect(await connection.ttl(keys.deliveries)).toBeGreaterThan(6 * 86_400);
  expect((await connection.lindex(keys.deliveries, 0))?.length).toBeLessThan(400);
});

test('refusals, which anyone can cause, displace no other delivery', async () => {
  const { log, clock, connection, keys } = open();
  log.answered(from('a'), accepted);
  for (let i = 0; i < 60; i += 1) {
    await clock.advance(1_000);
    log.answered(from(`forged-${i}`), refused);
    // Between two commands, at most as many lines wait as the list takes.
    if (i % 15 === 0)
      await eventually(() => connection.llen(keys.refusedDeliveries)).toBe(Math.min(i + 1, 20));
  }
  const listed = await log.list(100);
  expect(listed).toHaveLength(21);
  expect(listed[0]).toMatchObject({ result: 'refused' });
  expect(listed.at(-1)).toMatchObject({ delivery: 'a', result: 'accepted' });
});
