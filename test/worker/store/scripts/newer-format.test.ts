import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { recordFormat } from '../../../../worker/records/record-format.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createLaneStore } from '../../../../worker/app/lane-store.ts';
import { NewerFormat } from '../../../../worker/store/scripts/newer-format.ts';
import { testRedis } from '../../../environment/redis.ts';
import { promotionTask } from '../promotion-task.ts';

const redis = testRedis();
const lane = '77/p/to-test';
const newer = recordFormat + 1;

/** A promotion that the worker has begun, before a newer worker raises the format. */
async function createTestEnvironment() {
  const [connection, keys] = [redis.connect(), keysUnder(`{n-${randomUUID()}}`)];
  const found: number[] = [];
  const format = { known: recordFormat, onNewer: (one: number) => void found.push(one) };
  const store = createLaneStore(connection, keys, systemClock, undefined, { format });
  await connection.set(keys.state, 'new');
  const accept = (id: string) =>
    store.accept({
      promotionId: id,
      task: promotionTask(id, { id: lane, lane: 'to-test' }),
      order: 'differs',
      head: { field: `refs/tags/${id}`, value: 'a'.repeat(40) },
    });
  await accept('p1');
  const begun = await store.beginAdvance({ id: 'p1' });
  if ('status' in begun) throw new Error(`p1 does not begin: ${begun.status}`);
  const intent = { what: 'intend-promote', fields: { intent: '{"effect":"promote"}' } } as const;
  await store.record(begun.key, { kind: 'effect', ...intent });
  await connection.hset(keys.format, 'number', newer);
  const records = () =>
    Promise.all([
      ...[keys.lane(lane), keys.promotion('p1')].map((key) => connection.hgetall(key)),
      connection.keys(`${keys.prefix}*`).then((all) => all.toSorted()),
    ]);
  return { store, accept, key: begun.key, intent, records, found };
}

test('an older worker changes no record of a newer format, and each refusal names that format', async () => {
  const { store, accept, key, intent, records, found } = await createTestEnvironment();
  const before = await records();
  const report = { state: 'success', text: 'done' } as const;
  const calls = [
    () => accept('p2'),
    () => store.beginAdvance({ id: 'p1' }),
    () => store.takeAdvance('{n}:promotion:', { token: 'one', lockMs: 1_000 }),
    () => store.record(key, { kind: 'effect', ...intent }),
    () => store.finish(key, { outcome: 'passed', message: 'done', report, state: 'finished' }),
    () => store.hold(lane, { cause: 'manual', by: 'ada', reason: 'night', since: 1 }),
    () => store.pause({ by: 'ada', via: 'api', reason: 'night', since: 1 }),
    () => store.wake([lane]),
    () => store.takeReport('p1', Date.now() + 1_000),
    () => store.close('p1'),
    () => store.finishFollowing('p1'),
  ];
  for (const call of calls) {
    const error: unknown = await call().catch((thrown: unknown) => thrown);
    expect(error, call.toString()).toBeInstanceOf(NewerFormat);
    expect(error).toMatchObject({ format: newer });
  }
  expect(await records()).toEqual(before);
  expect(found).toEqual(calls.map(() => newer));
});

test('an older worker records the answer to the call that it sent before the format was raised', async () => {
  const { store, key } = await createTestEnvironment();
  const answered = { kind: 'state', what: 'promoted', fields: { intent: '', version: 'v1' } } as const;
  expect(await store.record(key, answered)).toMatchObject({ status: 'ok' });
  await store.endAdvance(key);
  expect(await store.promotion('p1')).toMatchObject({ intent: undefined, version: 'v1', unfinished: 0 });
});
