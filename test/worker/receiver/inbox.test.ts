import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { keysUnder } from '../../../worker/lanes/keys.ts';
import { createInbox } from '../../../worker/receiver/inbox.ts';
import type { PushEvent } from '../../../worker/receiver/push-event.ts';
import { testRedis } from '../../redis.ts';

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
  receivedAt: 0,
};

test('a push that could not be kept is no duplicate when it comes again', async () => {
  let works = false;
  const addPush = async (): Promise<void> => {
    if (!works) throw new Error('Redis said no');
  };
  const inbox = createInbox(redis.connect(), keysUnder(`{i-${randomUUID()}}`), {
    addPush,
    addComment: async () => undefined,
  });
  await expect(inbox.accept(event)).rejects.toThrow('Redis said no');
  expect(await inbox.knows(event)).toBe(false);
  works = true;
  await inbox.accept(event);
  expect(await inbox.knows(event)).toBe(true);
});

test('a push is known by its delivery and by its body', async () => {
  const inbox = createInbox(redis.connect(), keysUnder(`{i-${randomUUID()}}`), {
    addPush: async () => undefined,
    addComment: async () => undefined,
  });
  await inbox.accept(event);
  expect(await inbox.knows({ delivery: 'another', digest: event.digest })).toBe(true);
  expect(await inbox.knows({ delivery: event.delivery, digest: 'd'.repeat(64) })).toBe(true);
  expect(await inbox.knows({ delivery: 'another', digest: 'd'.repeat(64) })).toBe(false);
});
