import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createLaneStore } from '../../../../worker/app/lane-store.ts';
import { createDeletedRefs } from '../../../../worker/intake/sweep/deleted-refs.ts';
import { createRefChain } from '../../../../worker/intake/ingest/ref-chain.ts';
import { sweepDeletedRefs } from '../../../../worker/intake/sweep/sweep-deleted-refs.ts';
import { manualClock } from '../../../environment/clock.ts';
import { testRedis } from '../../../environment/redis.ts';

const redis = testRedis();
const day = 86_400_000;
const fullName = 'example/warehouse';
const ref = 'refs/tags/v1';

/** A repository whose refs a test moves, and what the worker knows of them. */
function createTestEnvironment() {
  const [keys, connection, clock] = [
    keysUnder(`{g-${randomUUID().slice(0, 8)}}`),
    redis.connect(),
    manualClock(),
  ];
  // Before anything else that goes over it.
  void connection.set(keys.state, 'new');
  const chain = createRefChain(connection, keys, clock);
  const store = createLaneStore(connection, keys, clock);
  const deletedRefs = createDeletedRefs(connection, keys);
  const tips = new Map<string, string>();
  const cut = { lists: false };
  const named = (prefix: string) => async () =>
    cut.lists
      ? []
      : [...tips].flatMap(([one, commit]) =>
          one.startsWith(prefix) ? [{ name: one.slice(prefix.length), commit }] : [],
        );
  const github = {
    repository: async (id: number) => ({ id, fullName, defaultBranch: 'main' }),
    branches: named('refs/heads/'),
    tags: named('refs/tags/'),
    head: async (_: string, one: string) => tips.get(one),
  };
  /** The ref is pushed, and its event comes; gives how the lane took it. */
  async function push(one: string, before: string, after: string) {
    tips.set(one, after);
    return heard(one, before, after);
  }
  async function heard(one: string, before: string, after: string) {
    await chain.link({ repositoryId: 77, ref: one, before, after, created: before === '' });
    const head = tips.get(one);
    if (head === undefined) return 'the ref was deleted';
    const { status } = await store.accept({
      promotionId: randomUUID(),
      order: 'differs',
      head: { field: one, value: head },
      task: {
        repository: { id: 77, fullName },
        ref: one,
        commit: head,
        delivery: 'd',
        version: { kind: 'commit' },
        lane: {
          name: 'to-test',
          id: '77/p/to-test',
          project: 'p',
          credential: 'c',
          from: 'dev',
          to: 'test',
          policy: 'latest',
          verify: [],
          onFailure: 'hold',
          gates: { approvals: 0, authorsMayApprove: true, checks: [], soak: 0, freeze: [], windows: [] },
          next: [],
        },
      },
    });
    return status;
  }
  const known = async () => [...(await deletedRefs.remembered(77))].toSorted();
  const sweep = () => sweepDeletedRefs({ id: 77 }, { github, deletedRefs, clock, deletedForMs: 90 * day });
  return { clock, chain, deletedRefs, tips, push, heard, known, sweep, cut, connection, keys };
}

test('records of a ref that was deleted long ago are removed, and other records stay', async () => {
  const { clock, tips, push, known, sweep, connection, keys } = createTestEnvironment();
  await push('refs/heads/main', '', 'a');
  await push(ref, '', 'b');
  tips.delete(ref);
  expect(await sweep()).toBe(0);
  await clock.advance(89 * day);
  expect(await sweep()).toBe(0);
  expect(await known()).toEqual(['refs/heads/main', ref]);
  await clock.advance(day);
  expect(await sweep()).toBe(1);
  expect(await known()).toEqual(['refs/heads/main']);
  expect(await connection.exists(keys.deletedRefs(77))).toBe(0);
  // Made again much later it is as new as any.
  expect(await push(ref, '', 'b')).toBe('accepted');
});

test('a tag that is deleted and created again on the same commit is nothing new', async () => {
  const { clock, tips, push, heard, known, sweep } = createTestEnvironment();
  await push(ref, '', 'b');
  tips.delete(ref);
  await sweep();
  await clock.advance(80 * day);
  await sweep();
  expect(await push(ref, '', 'b')).toBe('duplicate');
  // Its time begins again when it goes again.
  tips.delete(ref);
  await clock.advance(20 * day);
  expect(await sweep()).toBe(0);
  expect(await known()).toEqual([ref]);
  // An event of its former life comes late: the ref is still gone, and what it wrote goes with the rest.
  expect(await heard(ref, 'x', 'y')).toBe('the ref was deleted');
  await sweep();
  await clock.advance(90 * day);
  expect(await sweep()).toBe(1);
  expect(await known()).toEqual([]);
});

test('a ref that is pushed between the check and the removal is kept', async () => {
  const { clock, chain, deletedRefs, tips, push, known, sweep } = createTestEnvironment();
  await push(ref, '', 'b');
  tips.delete(ref);
  await sweep();
  await clock.advance(90 * day);
  const since = (await deletedRefs.since(77)).get(ref) ?? 0;
  await chain.link({ repositoryId: 77, ref, before: '', after: 'c', created: true });
  expect(await deletedRefs.forget(77, ref, since)).toBe(false);
  expect(await known()).toEqual([ref]);
});

test('a truncated list removes nothing', async () => {
  const { clock, push, known, sweep, cut } = createTestEnvironment();
  await push(ref, '', 'b');
  cut.lists = true;
  await sweep();
  await clock.advance(91 * day);
  expect(await sweep()).toBe(0);
  expect(await known()).toEqual([ref]);
});

test('a repository is checked once a day, first a day after the start', async () => {
  const { deletedRefs, clock } = createTestEnvironment();
  expect(await deletedRefs.isDue(77, clock.now())).toBe(false);
  await clock.advance(day - 1);
  expect(await deletedRefs.isDue(77, clock.now())).toBe(false);
  await clock.advance(1);
  expect(await deletedRefs.isDue(77, clock.now())).toBe(true);
  expect(await deletedRefs.isDue(77, clock.now())).toBe(false);
});
