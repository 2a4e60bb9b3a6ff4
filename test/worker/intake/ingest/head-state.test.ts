import { expect, test } from 'vitest';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { headState } from '../../../../worker/intake/ingest/head-state.ts';
import { createIngestOrder } from '../../../../worker/intake/ingest/ingest-order.ts';
import { createRefChain } from '../../../../worker/intake/ingest/ref-chain.ts';
import { createInbox } from '../../../../worker/intake/receiver/inbox.ts';
import type { PushEvent } from '../../../../worker/records/push-event.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { openQueues } from '../../../../worker/store/jobs/work-queues.ts';
import { testRedis } from '../../../environment/redis.ts';

const redis = testRedis();
const ref = 'refs/heads/main';
/** Commit `base`, `one`, `two`. */
const commitOf = (name: string): string => Buffer.from(name.padEnd(20)).toString('hex');

const push = (before: string, after: string, receivedAt: number, delivery = `d${receivedAt}`): PushEvent => ({
  repositoryId: 7,
  repositoryName: 'example/warehouse',
  ref,
  before: commitOf(before),
  after: commitOf(after),
  created: false,
  deleted: false,
  forced: false,
  sender: 'octocat',
  delivery,
  digest: delivery.padStart(64, '0'),
  receivedAt,
});

async function stateOf(
  head: string,
  event: PushEvent,
  { received, linked }: { readonly received: readonly PushEvent[]; readonly linked: readonly PushEvent[] },
  relation: 'ahead' | 'behind' = 'ahead',
) {
  const prefix = `{head-${crypto.randomUUID()}}`;
  const [connection, keys] = [redis.connect(), keysUnder(prefix)];
  const queues = openQueues(connection, prefix, () => undefined);
  const inbox = createInbox(connection, keys, queues);
  const chain = createRefChain(connection, keys, systemClock);
  for (const one of received) await inbox.keep(one);
  await chain.recordTips(7, [{ ref, commit: commitOf('base') }]);
  for (const one of linked) await chain.link(one);
  const order = createIngestOrder(connection, keys, queues);
  const github = { relation: async () => relation };
  try {
    return await headState(
      commitOf(head),
      event,
      { fullName: 'example/warehouse' },
      { github, order, chain },
    );
  } finally {
    await queues.close();
  }
}

const [first, second] = [push('base', 'one', 10), push('one', 'two', 20)];
const [late, early] = [push('base', 'one', 20), push('one', 'two', 10)];
const back = push('two', 'one', 30);
const found = push('two', 'one', 30, 'sweep-1');

test.each([
  ['the pushed commit', 'current', 'one', first, [first], []],
  ['a commit that a later push left', 'left', 'one', first, [first, second], [second]],
  ['a descendant that another push left', 'left', 'two', first, [first, push('two', 'x', 5)], []],
  ['a commit to which the ref went back', 'current', 'one', back, [first, second, back], [first, second]],
  ['a commit whose two deliveries changed places', 'doubtful', 'one', late, [early, late], [early]],
  ['the same, before the other push is linked', 'current', 'one', late, [early, late], []],
  ['a commit that a sweep found and the ref left', 'doubtful', 'one', found, [first, second], [second]],
] as const)('%s is %s', async (_, state, head, event, received, linked) => {
  expect(await stateOf(head, event, { received, linked })).toBe(state);
});

/** Pushes that follow one another; received in the order of `times`. */
const walk = (commits: readonly string[], times: readonly number[]): readonly PushEvent[] =>
  commits.slice(1).map((after, i) => push(commits[i] ?? '', after, times[i] ?? 0));

// The ref went to `one`, to `two`, and back to `one`; the push back is received before the push that left `one`.
test.each([
  ['current, where the pushes end there', 'current', ['base', 'one', 'two', 'one'], [10, 30, 20]],
  ['left, where they end elsewhere', 'left', ['base', 'one', 'two', 'one', 'three'], [10, 30, 20, 40]],
  ['doubtful, where they end nowhere: one was lost', 'doubtful', ['one', 'two', 'one'], [30, 20]],
] as const)(
  'a commit that the ref left, by a push received after the one back to it, is %s',
  async (...given) => {
    const [, state, commits, times] = given;
    const received = walk(commits, times).toSorted((a, b) => a.receivedAt - b.receivedAt);
    const event = received.find(({ receivedAt }) => receivedAt === 20) ?? expect.unreachable();
    expect(await stateOf('one', event, { received, linked: [] })).toBe(state);
  },
);

test('a redelivered push counts once among those that moved the ref', async () => {
  const to = push('base', 'one', 10);
  const received = [to, { ...to, delivery: 'again' }, push('one', 'two', 20)];
  expect(await stateOf('one', to, { received, linked: [] })).toBe('left');
});

test.each([
  ['that a sweep found is doubtful', 'doubtful', push('two', 'one', 30, 'sweep-1')],
  ['of a push of an older commit is left', 'left', push('base', 'older', 5)],
] as const)('a commit from which an annotated tag was moved, %s', async (_, state, event) => {
  const annotated = (before: string, after: string, receivedAt: number): PushEvent => ({
    ...push(before, `tag of ${after}`, receivedAt),
    ref: 'refs/tags/v1',
    headCommit: commitOf(after),
  });
  const received = [annotated('base', 'one', 10), annotated('tag of one', 'two', 20)];
  expect(await stateOf('one', { ...event, ref: 'refs/tags/v1' }, { received, linked: [] })).toBe(state);
});

test('an ancestor of the last known head that a sweep found is doubtful, and a descendant is current', async () => {
  const known = { received: [], linked: [] };
  expect(await stateOf('one', found, known, 'behind')).toBe('doubtful');
  expect(await stateOf('one', found, known, 'ahead')).toBe('current');
});
