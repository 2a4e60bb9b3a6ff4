import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Failure } from '../../../../lib/core/errors/failure.ts';
import { silentLogger } from '../../../../lib/core/ports/ports.ts';
import type { DeliveryAttempt, Hooks } from '../../../../lib/github/endpoints/hooks.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { sweepDeliveries } from '../../../../worker/intake/sweep/sweep-deliveries.ts';
import { createSweepState } from '../../../../worker/intake/sweep/sweep-state.ts';
import { manualClock } from '../../../environment/clock.ts';
import { testRedis } from '../../../environment/redis.ts';

const redis = testRedis();
const minute = 60_000;
const day = 86_400_000;

/** GitHub's list of deliveries, and a sweep through it whose time a test moves. */
function createTestEnvironment() {
  const keys = keysUnder(`{d-${randomUUID().slice(0, 8)}}`);
  const connection = redis.connect();
  const clock = manualClock();
  const list: DeliveryAttempt[] = [];
  const asked: string[] = [];
  const read: string[] = [];
  let refusal: Failure | undefined;
  const hooks: Hooks = {
    list: async () => undefined,
    async deliveries(_, cursor) {
      read.push(cursor);
      const newest = list.toSorted((a, b) => b.at - a.at);
      const from = Number(cursor || 0);
      const next = from + 100 < newest.length ? String(from + 100) : '';
      return { attempts: newest.slice(from, from + 100), next };
    },
    async redeliver(_, id) {
      if (refusal !== undefined) throw refusal;
      asked.push(id);
      return true;
    },
  };
  const context = {
    hooks,
    state: createSweepState(connection, keys, clock),
    clock,
    logger: silentLogger,
    isRelevant: ({ event, repositoryId }: Pick<DeliveryAttempt, 'event' | 'repositoryId'>) =>
      event === 'push' && repositoryId === 77,
  };
  return {
    clock,
    asked,
    read,
    add(guid: string, more: Partial<DeliveryAttempt> = {}) {
      const id = `${guid}-${list.length}`;
      const usual = { ok: false, event: 'push', redelivery: false, repositoryId: 77, at: clock.now() };
      list.push({ id, guid, ...usual, ...more });
      return id;
    },
    know: async (guid: string) => connection.set(keys.delivery(guid), 'x'),
    setEra: async (era: string) => connection.set(keys.state, era),
    refuse: (failure: Failure | undefined) => (refusal = failure),
    sweep: async () => sweepDeliveries({ kind: 'app' }, context),
  };
}

test('a failed delivery is requested again once, however many sweeps run', async () => {
  const { add, asked, sweep, clock } = createTestEnvironment();
  const id = add('a');
  for (let i = 0; i < 5; i += 1) {
    await sweep();
    await clock.advance(minute);
  }
  expect(asked).toEqual([id]);
});

test('a failed or missing redelivery is requested again at growing intervals, five times at most', async () => {
  const { add, asked, sweep, clock } = createTestEnvironment();
  add('a');
  await sweep();
  await clock.advance(2 * minute);
  const second = add('a', { redelivery: true });
  await sweep();
  expect(asked).toEqual(['a-0', second]);
  for (let i = 0; i < 600; i += 1) {
    await clock.advance(5 * minute);
    await sweep();
  }
  expect(asked).toHaveLength(5);
});

test('what is on record, of no interest, of another repository or older than three days is left alone', async () => {
  const { add, know, asked, sweep, clock } = createTestEnvironment();
  add('old', { at: clock.now() - 3 * day - 1 });
  add('known');
  await know('known');
  add('other event', { event: 'star' });
  add('other repository', { repositoryId: 78 });
  const failed = add('failed', { at: clock.now() - 3 * day + minute });
  expect(await sweep()).toBe(1);
  expect(asked).toEqual([failed]);
});

test('one that was answered and is on no record is asked for, unless our records are younger', async () => {
  const { add, asked, sweep, clock } = createTestEnvironment();
  add('before our time', { ok: true, at: clock.now() - minute });
  await sweep();
  await clock.advance(minute);
  const lost = add('lost', { ok: true });
  await sweep();
  expect(asked).toEqual([]);
  // Not at once: the record may just be being made.
  await clock.advance(minute);
  await sweep();
  expect(asked).toEqual([lost]);
});

test('after a loss every answered delivery without a record is requested, however far the walk had come', async () => {
  const { add, know, setEra, asked, sweep, clock } = createTestEnvironment();
  await setEra('new-1');
  const before = add('lost', { ok: true, at: clock.now() - day });
  add('known', { ok: true });
  await know('known');
  add('comment', { ok: true, event: 'issue_comment', at: clock.now() - day });
  await sweep();
  await clock.advance(minute);
  await sweep();
  expect(asked).toEqual([]);
  await setEra('lost-1');
  add('taken in since', { ok: true });
  await know('taken in since');
  await clock.advance(minute);
  await sweep();
  expect(asked).toEqual([before]);
});

test('a long list is read in parts with a stored cursor; afterwards only new deliveries are read', async () => {
  const { add, read, asked, sweep, clock } = createTestEnvironment();
  for (let i = 0; i < 2_500; i += 1) add(`ok-${i}`, { ok: true, at: clock.now() - i * 1_000 - minute });
  const first = add('first', { at: clock.now() - 2 * 3_600_000 });
  await sweep();
  expect(read).toHaveLength(20);
  expect(asked).toEqual([]);
  await sweep();
  expect(read).toHaveLength(26);
  expect(read[20]).toBe('2000');
  expect(asked).toEqual([first]);
  read.length = 0;
  await sweep();
  // A quarter of an hour of overlap: nine hundred of them.
  expect(read.length).toBeLessThan(11);
});

test('one sweep asks for a hundred at most, and the next for the rest', async () => {
  const { add, asked, sweep, clock } = createTestEnvironment();
  for (let i = 0; i < 150; i += 1) add(`a-${i}`, { at: clock.now() - i * 1_000 });
  expect(await sweep()).toBe(100);
  expect(await sweep()).toBe(50);
  expect(await sweep()).toBe(0);
  expect(new Set(asked).size).toBe(150);
});

test('a refusal of GitHub does not count as asked; an answer that was lost does', async () => {
  const { add, asked, refuse, sweep } = createTestEnvironment();
  const id = add('a');
  const failure = (refused: boolean) => new Failure('github-failed', { message: 'no', details: { refused } });
  refuse(failure(true));
  await expect(sweep()).rejects.toThrow('no');
  refuse(undefined);
  await sweep();
  expect(asked).toEqual([id]);
  const other = createTestEnvironment();
  other.add('b');
  other.refuse(failure(false));
  await expect(other.sweep()).rejects.toThrow('no');
  other.refuse(undefined);
  await other.sweep();
  expect(other.asked).toEqual([]);
});
