import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { openQueues, type WorkQueues } from '../../../../worker/store/jobs/work-queues.ts';
import { createInbox, type Inbox } from '../../../../worker/intake/receiver/inbox.ts';
import type { PushEvent } from '../../../../worker/records/push-event.ts';
import { testRedis } from '../../../environment/redis.ts';

const redis = testRedis();

const event: PushEvent = {
  repositoryId: 77,
  repositoryName: 'example/warehouse',
  ref: 'refs/heads/main',
  before: 'a'.repeat(40),
  after: 'b'.repeat(40),
  created: false,
  deleted: false,
  forced: false,
  sender: 'octocat',
  delivery: 'one',
  digest: 'c'.repeat(64),
  receivedAt: 1_700_000_000_000,
};
const bodyOf = (i: number): string => String(i).padStart(64, '0');

function createTestEnvironment(replicas = 0): { inbox: Inbox; queues: WorkQueues; prefix: string } {
  const prefix = `{i-${randomUUID()}}`;
  const connection = redis.connect();
  const queues = openQueues(connection, prefix, () => undefined);
  onTestFinished(() => queues.close());
  return { inbox: createInbox(connection, keysUnder(prefix), queues, () => replicas), queues, prefix };
}

/** How many jobs wait to be taken in. */
async function jobs(queues: WorkQueues): Promise<number> {
  const counts = await queues.counts();
  return counts.find(({ queue, state }) => queue === 'ingest' && state === 'wait')?.jobs ?? 0;
}

test('a push is known by its delivery and by its body, and only what is new becomes a job', async () => {
  const { inbox, queues } = createTestEnvironment();
  expect(await inbox.keep(event)).toBe('accepted');
  expect(await inbox.keep({ ...event, delivery: 'another' })).toBe('duplicate');
  expect(await inbox.keep({ ...event, digest: bodyOf(1) })).toBe('duplicate');
  expect(await jobs(queues)).toBe(1);
  expect(await inbox.keep({ ...event, delivery: 'a-third', digest: bodyOf(1) })).toBe('accepted');
  expect(await jobs(queues)).toBe(2);
});

test('a push that no replica of Redis has does not count as stored, however often it is sent', async () => {
  const { inbox } = createTestEnvironment(1);
  await expect(inbox.keep(event)).rejects.toThrow('Too few replicas');
  await expect(inbox.keep(event)).rejects.toThrow('Too few replicas');
});

test('a push ingested long ago, whose job was removed, is still a duplicate', async () => {
  const { inbox, queues } = createTestEnvironment();
  await inbox.keep(event);
  await redis.connect().del(queues.ingestKey(`b-${event.digest}`), queues.ingestKey('wait'));
  expect(await inbox.keep({ ...event, delivery: 'another' })).toBe('duplicate');
  expect(await jobs(queues)).toBe(0);
});

test('one of a hundred simultaneous deliveries of the same body is accepted', async () => {
  const { inbox, queues } = createTestEnvironment();
  const results = await Promise.all(
    Array.from({ length: 100 }, (_, i) => inbox.keep({ ...event, delivery: `d-${i}` })),
  );
  expect(results.filter((one) => one === 'accepted')).toHaveLength(1);
  expect(await jobs(queues)).toBe(1);
});

test('each of many simultaneous pushes is stored', async () => {
  const { inbox, queues } = createTestEnvironment();
  const many = Array.from({ length: 120 }, (_, i) => ({ ...event, delivery: `d-${i}`, digest: bodyOf(i) }));
  expect(new Set(await Promise.all(many.map((one) => inbox.keep(one))))).toEqual(new Set(['accepted']));
  expect(await jobs(queues)).toBe(120);
});

test('the job is the one that BullMQ itself would add', async () => {
  const [kept, added] = [createTestEnvironment(), createTestEnvironment()];
  await kept.inbox.keep(event);
  await added.queues.addIncoming(event);
  const stored = async ({ queues }: typeof kept) => {
    const connection = redis.connect();
    const { opts = '', timestamp, ...hash } = await connection.hgetall(queues.ingestKey(`b-${event.digest}`));
    expect(Number(timestamp)).toBeGreaterThan(0);
    return {
      hash,
      options: JSON.parse(opts) as unknown,
      waiting: await connection.lrange(queues.ingestKey('wait'), 0, -1),
      marker: await connection.zrange(queues.ingestKey('marker'), '0', '-1'),
      happened: (await connection.xrange(queues.ingestKey('events'), '-', '+')).map(([, fields]) => fields),
    };
  };
  expect(await stored(kept)).toEqual(await stored(added));
});

test('a push that could not be stored is not a duplicate when it is delivered again', async () => {
  const { inbox, queues, prefix } = createTestEnvironment();
  const admin = redis.connect('probe');
  await admin.config('SET', 'maxmemory', '1');
  try {
    await expect(inbox.keep(event)).rejects.toThrow(/OOM/);
    expect(await admin.keys(`${prefix}:{delivery,body}:*`)).toEqual([]);
  } finally {
    await admin.config('SET', 'maxmemory', '0');
  }
  expect(await inbox.keep(event)).toBe('accepted');
  expect(await jobs(queues)).toBe(1);
});

test('one that cannot be kept does not take the others with it, and its sender may try again', async () => {
  const { inbox, queues, prefix } = createTestEnvironment();
  const connection = redis.connect();
  // What cannot be: the key of its job holds a list.
  const broken = queues.ingestKey(`b-${bodyOf(1)}`);
  await connection.rpush(broken, 'x');
  const results = await Promise.allSettled(
    [0, 1, 2].map((i) => inbox.keep({ ...event, delivery: `d-${i}`, digest: bodyOf(i) })),
  );
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await connection.exists(keysUnder(prefix).delivery('d-1'))).toBe(0);
  await connection.del(broken);
  expect(await inbox.keep({ ...event, delivery: 'd-1', digest: bodyOf(1) })).toBe('accepted');
  expect(await jobs(queues)).toBe(3);
});
