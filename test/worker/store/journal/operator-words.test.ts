import { type Admission, createAdmission } from '../../../../worker/store/admission.ts';
import { createScriptCalls } from '../../../../worker/store/call-scripts.ts';
import { createGateDecisions, type GateDecisions } from '../../../../worker/store/gates/gate-decisions.ts';
import { createPauses, type Pauses } from '../../../../worker/store/gates/pauses.ts';
import { createLaneControl, type LaneControl } from '../../../../worker/store/lanes/lane-control.ts';
import { createLaneReads, type LaneReads } from '../../../../worker/store/lanes/lane-reads.ts';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createJournals } from '../../../../worker/store/recovery/compare-journals.ts';
import { openStateDirectory, type StateDirectory } from '../../../../worker/store/journal/state-directory.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import { createOperatorWords, type OperatorWords } from '../../../../worker/store/journal/operator-words.ts';
import { recordFormat } from '../../../../worker/records/record-format.ts';
import { createStateMemory } from '../../../../worker/store/recovery/state-memory.ts';
import { manualClock } from '../../../environment/clock.ts';
import { testRedis } from '../../../environment/redis.ts';
import { takeSnapshot } from '../../../environment/redis-snapshot.ts';
import { promotionTask } from '../promotion-task.ts';

const redis = testRedis();
const [lane, otherLane] = ['77/p/to-test', '77/p/to-prod'];
const commit = 'a'.repeat(40);
const seen = { promotion: 'p1', commit, version: 'v1' };
const ada = { by: 'ada', via: 'api', reason: 'figures' } as const;

let count = 0;

/** What operators say, and what it needs. */
type Store = Admission & GateDecisions & LaneControl & LaneReads & Pauses;

async function createWorkers() {
  count += 1;
  const [connection, clock] = [redis.connect(), manualClock()];
  const keys = keysUnder(`{words-${count}}`);
  await connection.set(keys.state, 'new');
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-words-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));

  async function open(name: string) {
    const directory: StateDirectory = await openStateDirectory(path.join(folder, name));
    onTestFinished(() => directory.close());
    const memory = createStateMemory();
    memory.follow('new');
    const failures: unknown[] = [];
    const onFailure = (error: unknown): void => void failures.push(error);
    const onOlder = (): void => undefined;
    const words = createOperatorWords({
      redis: connection,
      keys,
      clock,
      journal: directory.journal,
      onFailure,
    });
    const call = createScriptCalls(connection, keys, clock, { older: { memory, onOlder }, words });
    const ignore = (): void => undefined;
    const store: Store = {
      ...createAdmission(call, clock, ignore),
      ...createGateDecisions(connection, keys, call, ignore),
      ...createLaneControl(call, ignore),
      ...createLaneReads(connection, keys),
      ...createPauses(connection, keys, call),
    };
    const journals = createJournals({
      redis: connection,
      keys,
      clock,
      format: recordFormat,
      directory,
      onOlder,
      onMissing: () => undefined,
      onFailure,
    });
    await journals.compare();
    return { store, words, journal: directory.journal, failures, close: () => directory.close() };
  }
  return {
    clock,
    open,
    /** Later, Redis comes back with the state as it is now. */
    async snapshot() {
      const restore = await takeSnapshot(connection, keys.prefix);
      return async () => {
        await restore();
        await connection.hset(keys.epoch, 'run', 'another', 'journalsRun', 'another');
      };
    },
  };
}

async function accept(store: Admission, promotionId: string, id = lane): Promise<void> {
  const task = promotionTask('v1', { id, lane: id.slice(5), commit, policy: 'every' });
  const head = { field: `refs/tags/${promotionId}`, value: commit };
  await store.accept({ promotionId, task, order: 'differs', head });
}

/** The lane is idle, with two promotions that wait. */
async function prepare(store: Store): Promise<void> {
  await accept(store, 'p1');
  await accept(store, 'p2');
  await accept(store, 'q1', otherLane);
}

interface Case {
  readonly name: string;
  /** What was said before the state that comes back. */
  readonly before?: (store: Store) => Promise<unknown>;
  readonly say: (store: Store) => Promise<unknown>;
  readonly lost: string;
  readonly all?: true;
}

const rolledBack = { disabled: 'v1', live: 'v0', ...ada };
const held = { cause: 'manual', since: 1, ...ada } as const;

const cases: readonly Case[] = [
  { name: 'hold', say: async (store) => store.hold(lane, held), lost: 'hold by ada: figures' },
  {
    name: 'resume',
    before: async (store) => store.hold(lane, held),
    say: async (store) => store.resume(lane, 'ada', { reason: 'fixed' }),
    lost: 'resume by ada: fixed',
  },
  {
    name: 'cancel of a promotion that waits',
    say: async (store) => store.cancel('p2', 'ada'),
    lost: 'cancel of the promotion p2 by ada',
  },
  {
    name: 'cancel of an active promotion',
    say: async (store) => store.cancel('p1', 'ada'),
    lost: 'cancel of the promotion p1 by ada',
  },
  {
    name: 'approval',
    say: async (store) =>
      store.approve(seen, { person: 'ada', by: 'ada', via: 'api', commit, version: 'v1', at: 1 }),
    lost: 'approve of the promotion p1 by ada',
  },
  {
    name: 'rejection',
    say: async (store) => store.reject(seen, { ...ada, person: 'ada', commit, version: 'v1', at: 1 }),
    lost: 'reject of the promotion p1 by ada: figures',
  },
  {
    name: 'override of a freeze',
    say: async (store) => store.overrideFreeze(seen, { ...ada, commit, version: 'v1', at: 1 }),
    lost: 'override of a freeze of the promotion p1 by ada: figures',
  },
  {
    name: 'roll-back',
    say: async (store) => store.rolledBack(lane, rolledBack),
    lost: 'roll-back by ada: figures',
  },
  {
    name: 'retry',
    say: async (store) =>
      store.accept({
        promotionId: 'p3',
        task: promotionTask('v1', { commit }),
        order: 'any',
        head: { field: '', value: '' },
        audit: { by: 'ada', via: 'api', act: 'retry', data: '{"of":"p1"}' },
      }),
    lost: 'retry of the promotion p3 by ada',
  },
  {
    name: 'pause',
    say: async (store) => store.pause({ ...ada, since: 1 }),
    lost: 'pause by ada: figures',
    all: true,
  },
];

const reasonsOf = async (store: LaneReads, id = lane): Promise<readonly string[]> =>
  ((await store.lane(id))?.holds ?? []).filter(({ by }) => by !== 'ada').map(({ reason }) => reason);

test.each(cases)('a lost $name is in the journal, and its lane is held once', async (one) => {
  const workers = await createWorkers();
  const { store, journal, words, close } = await workers.open('a');
  await prepare(store);
  await one.before?.(store);
  const restore = await workers.snapshot();
  const { recorded } = words.counts;
  await one.say(store);
  expect(words.counts).toEqual({ recorded: recorded + 1, failed: 0 });
  expect(journal.words.at(-1)).toMatchObject({ what: one.lost, lane: one.all ? undefined : lane });
  await close();
  await restore();
  const next = await workers.open('b');
  expect(await reasonsOf(next.store)).toEqual([]);
  // The next process on the state directory of the worker that answered; then another one.
  for (let i = 0; i < 2; i += 1) await (await workers.open('a')).close();
  const lost = [expect.stringContaining(`“${one.lost}” is lost`)];
  expect(await reasonsOf(next.store)).toEqual(lost);
  expect(await reasonsOf(next.store, otherLane)).toEqual(one.all ? lost : []);
});

test('what was refused, or what the worker does itself, does not count', async () => {
  const workers = await createWorkers();
  const { store, words, journal } = await workers.open('a');
  await prepare(store);
  await store.hold('77/p/none', held);
  await store.cancel('none', 'ada');
  await store.resume(lane, 'ada');
  await store.cancel('p2', 'millrace', { via: 'worker', cause: 'too late' });
  await store.approve(
    seen,
    { person: 'a', by: 'a', via: 'api', commit, version: 'v1', at: 1 },
    { dryRun: true },
  );
  expect(words.counts.recorded).toBe(0);
  expect(journal.words).toEqual([]);
});

test('every script that writes an entry of the audit says whether it is an operator’s word', () => {
  const folder = path.join(import.meta.dirname, '../../../../worker/store');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const text = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
  const written = files.filter((file) => file.endsWith('.lua') && /^ *(?:if .*)?audit\(/m.test(text(file)));
  const typed = files
    .filter((file) => file.endsWith('.ts'))
    .map(text)
    .join('\n');
  expect(written.length).toBeGreaterThan(10);
  // No worker calls `hold-all.lua`, so none has a journal for it.
  for (const file of written.map((each) => path.basename(each))) {
    if (file === 'audit.lua' || file === 'hold-all.lua') continue;
    const [, after = ''] = typed.split(`'${file}'`);
    expect(after.split('laneScript')[0], file).toContain('isWord');
  }
});

test('a journal that cannot be written is counted, and the word is in force', async () => {
  const workers = await createWorkers();
  const { store, words, journal, failures } = await workers.open('a');
  await prepare(store);
  await journal.close();
  const broken: OperatorWords = createOperatorWords({
    redis: redis.connect(),
    keys: keysUnder('{none}'),
    clock: workers.clock,
    journal: { ...journal, append: async () => Promise.reject(new Error('ENOSPC')) },
    onFailure: (error) => void failures.push(error),
  });
  const done = await broken.keep(
    { isWord: () => true, loses: 'hold' },
    { lane, by: 'ada' },
    async () => 'ok',
  );
  expect(done).toBe('ok');
  expect(broken.counts).toEqual({ recorded: 1, failed: 1 });
  expect(failures).toHaveLength(1);
  expect(words.counts.failed).toBe(0);
});
