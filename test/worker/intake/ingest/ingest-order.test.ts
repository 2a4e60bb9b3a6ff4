import { expect, onTestFinished, test } from 'vitest';
import { createInbox } from '../../../../worker/intake/receiver/inbox.ts';
import { createIngestOrder } from '../../../../worker/intake/ingest/ingest-order.ts';
import type { PushEvent } from '../../../../worker/records/push-event.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { openQueues } from '../../../../worker/store/jobs/work-queues.ts';
import { testRedis } from '../../../environment/redis.ts';

const redis = testRedis();

const push = (name: string, repositoryId = 1): PushEvent => ({
  repositoryId,
  repositoryName: 'example/warehouse',
  ref: `refs/tags/${name}`,
  before: '0'.repeat(40),
  after: 'b'.repeat(40),
  created: true,
  deleted: false,
  forced: false,
  sender: 'octocat',
  delivery: `${name}-${repositoryId}`,
  digest: `${name}-${repositoryId}`.padStart(64, '0'),
  receivedAt: 1_700_000_000_000,
});

function createTestEnvironment() {
  const prefix = `{order-${crypto.randomUUID()}}`;
  const connection = redis.connect();
  const keys = keysUnder(prefix);
  const queues = openQueues(connection, prefix, () => undefined);
  onTestFinished(() => queues.close());
  const inbox = createInbox(connection, keys, queues);
  return { inbox, queues, connection, keys, order: createIngestOrder(connection, keys, queues) };
}

test('tags are ingested in the order of their receipt, whatever the time in their events', async () => {
  const { inbox, order } = createTestEnvironment();
  await inbox.keep({ ...push('first'), receivedAt: 20 });
  await inbox.keep({ ...push('second'), receivedAt: 10 });
  expect(await order.isFirst(push('first'))).toBe(true);
  expect(await order.isFirst(push('second'))).toBe(false);
  await order.leave(push('first'));
  expect(await order.isFirst(push('second'))).toBe(true);
});

test('a tag waits neither for another repository nor for a branch', async () => {
  const { inbox, order } = createTestEnvironment();
  await inbox.keep(push('elsewhere', 2));
  await inbox.keep({ ...push('main'), ref: 'refs/heads/main' });
  await inbox.keep(push('here'));
  expect(await order.isFirst(push('here'))).toBe(true);
});

test('a second delivery keeps the place of the first', async () => {
  const { inbox, order } = createTestEnvironment();
  for (const name of ['first', 'second', 'first']) await inbox.keep(push(name));
  expect(await order.isFirst(push('first'))).toBe(true);
});

test('a tag that a sweep found takes its place after those that were received before', async () => {
  const { inbox, order, queues } = createTestEnvironment();
  await inbox.keep(push('received'));
  await queues.addIncoming(push('found'));
  expect(await order.isFirst(push('found'))).toBe(false);
  expect(await order.isFirst(push('received'))).toBe(true);
});

test('a place whose job has ended or no longer exists does not delay later pushes', async () => {
  const { inbox, order, queues, connection } = createTestEnvironment();
  for (const name of ['ended', 'gone', 'last']) await inbox.keep(push(name));
  await connection.hset(queues.ingestKey(`b-${push('ended').digest}`), 'finishedOn', 1);
  expect(await order.isFirst(push('last'))).toBe(false);
  await connection.del(queues.ingestKey(`b-${push('gone').digest}`));
  expect(await order.isFirst(push('last'))).toBe(true);
});

test('a push is overtaken when a later one moved or deleted its ref', async () => {
  const { inbox, order } = createTestEnvironment();
  const [moved, deleted, fresh] = ['a', 'b', 'c'].map((id) => id.repeat(40));
  await inbox.keep({ ...push('v1'), before: moved ?? '' });
  await inbox.note({ ...push('v2'), before: deleted ?? '', after: '0'.repeat(40), deleted: true });
  expect(await order.departedAt({ ...push('v1'), after: moved ?? '' })).toBeTypeOf('number');
  expect(await order.departedAt({ ...push('v2'), after: deleted ?? '' })).toBeTypeOf('number');
  expect(await order.departedAt({ ...push('v1'), after: fresh ?? '' })).toBeUndefined();
  expect(await order.departedAt({ ...push('v2'), after: moved ?? '' })).toBeUndefined();
});
