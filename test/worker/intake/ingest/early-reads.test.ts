import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { GitHubPort } from '../../../../lib/github/github-port.ts';
import { ingestPush } from '../../../../worker/intake/ingest/ingest-push.ts';
import { createInbox } from '../../../../worker/intake/receiver/inbox.ts';
import { testRedis } from '../../../environment/redis.ts';
import { createIngestContext } from './ingest-context.ts';
import { pushOf, taggedLine } from './tagged-line.ts';

const redis = testRedis();
const lanes = '\n  - { name: to-test, on: { push: { tags: ["v*"] } }, from: dev, to: test }\n';
const accepted = { status: 'done', text: 'accepted by 1 of 1 lanes' };

/** A worker that has ingested one tag. `during` is called whenever it reads the branches, after it has read a head. */
async function afterOneTag(during: () => Promise<void> = async () => {}, declared = lanes) {
  const heads: string[] = [];
  const line = taggedLine(3, declared, async (answer) => answer);
  const github: GitHubPort = {
    ...line,
    async head(name, ref) {
      heads.push(ref);
      return line.head(name, ref);
    },
    async branches(name) {
      await during();
      return line.branches(name);
    },
  };
  const worker = createIngestContext(redis, `{e-${randomUUID().slice(0, 8)}}`, github);
  const inbox = createInbox(worker.connection, worker.keys, worker.ports.queues);
  for (const i of [0, 1, 2]) await inbox.keep(pushOf(i));
  expect(await ingestPush(pushOf(0), worker.context)).toEqual(accepted);
  return { ...worker, heads };
}

test('a tag that starts the same lanes as the one before is read once', async () => {
  const { context, heads } = await afterOneTag();
  expect(heads).toHaveLength(2);
  expect(await ingestPush(pushOf(1), context)).toEqual(accepted);
  expect(heads.slice(2)).toEqual([pushOf(1).ref]);
});

test('a tag is read once whose lanes an earlier tag started, but not the last one', async () => {
  const declared = `
  - { name: orders-to-test, on: { push: { tags: ["v0", "v2"] } }, from: dev, to: test }
  - { name: sales-to-test, on: { push: { tags: ["v1"] } }, from: dev, to: test }
`;
  const { context, heads } = await afterOneTag(undefined, declared);
  expect(await ingestPush(pushOf(1), context)).toEqual(accepted);
  expect(heads.slice(2)).toEqual([pushOf(1).ref, pushOf(1).ref]);
  expect(await ingestPush(pushOf(2), context)).toEqual(accepted);
  expect(heads.slice(4)).toEqual([pushOf(2).ref]);
});

test('a tag is read again if its lane has accepted another push of it since the sequences were read', async () => {
  let during = async () => {};
  const { context, ports, heads } = await afterOneTag(() => during());
  const [lane = ''] = await ports.store.laneIds();
  during = async () => {
    during = async () => {};
    const { task } =
      (await ports.store.promotions(await ports.store.promotionIds(1)))[0] ?? expect.unreachable();
    const { ref } = pushOf(1);
    await ports.store.accept({
      promotionId: 'other',
      order: 'differs',
      head: { field: ref, value: 'f'.repeat(40) },
      task: { ...task, ref, commit: 'f'.repeat(40) },
    });
  };
  expect(await ingestPush(pushOf(1), context)).toEqual(accepted);
  // Once before the other push, then as if no lane had been expected.
  expect(heads.slice(2).filter((ref) => ref === pushOf(1).ref)).toHaveLength(3);
  expect(await ports.store.head(lane, pushOf(1).ref)).toBe(pushOf(1).after);
});
