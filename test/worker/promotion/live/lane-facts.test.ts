import { expect, test } from 'vitest';
import { compareFacts, type LaneFacts } from '../../../../worker/store/lanes/lane-facts.ts';

const now = Date.UTC(2031, 0, 1, 12);

interface Given {
  readonly live?: string | undefined;
  readonly verified?: string;
  readonly wanted?: string;
  readonly outcome?: 'passed' | 'failed' | 'cancelled' | 'superseded';
  readonly active?: LaneFacts['active'];
  readonly waiting?: readonly string[];
  readonly record?: Partial<LaneFacts['live']>;
  readonly holds?: LaneFacts['lane']['holds'];
  /** What the wanted version was rolled back to. */
  readonly back?: string;
}

const rolledBack = { by: 'ada', via: 'api', disabled: 'v2', reason: 'wrong sums' } as const;

/** The facts of a lane to test, one minute after the platform's answer. */
function factsOf({
  live,
  verified,
  wanted,
  outcome,
  active,
  waiting = [],
  record = {},
  back,
  holds = [],
}: Given): LaneFacts {
  const task = { commit: 'c'.repeat(40) } as NonNullable<LaneFacts['last']>['task'];
  return {
    lane: {
      id: '77/p/to-test',
      to: 'test',
      waiting,
      holds,
      verified: verified === undefined ? undefined : { seq: 1, version: verified, promotion: 'r', at: 0 },
    },
    live: {
      answer: { version: live, commit: undefined, at: now - 60_000 },
      changedSince: false,
      failure: undefined,
      brought: undefined,
      ...record,
    },
    active,
    last:
      wanted === undefined
        ? undefined
        : {
            version: wanted,
            outcome,
            task,
            rolledBack: back === undefined ? undefined : { ...rolledBack, live: back },
          },
  };
}

const watching = (version: string): LaneFacts['active'] => ({
  version,
  intent: undefined,
  step: { name: 'watch', verify: 0, since: 0, executionId: 'e' },
});
const atGate = (version: string): LaneFacts['active'] => ({
  version,
  intent: undefined,
  step: { name: 'promote', since: 0, readBacks: 0 },
});

test.each<[string, Given]>([
  ['all three are one version', { live: 'v2', verified: 'v2', wanted: 'v2', outcome: 'passed' }],
  ['nothing was ever there', {}],
  [
    'a promotion has brought it and verifies it',
    { live: 'v2', verified: 'v1', wanted: 'v2', active: watching('v2') },
  ],
  ['a promotion waits at a gate', { live: 'v1', verified: 'v1', wanted: 'v2', active: atGate('v2') }],
  ['a promotion waits for the lane', { live: 'v1', verified: 'v1', wanted: 'v2', waiting: ['r2'] }],
  ['the last promotion was cancelled', { live: 'v1', verified: 'v1', wanted: 'v2', outcome: 'cancelled' }],
  [
    'its verified version was rolled back to the live one',
    { live: 'v1', verified: 'v2', wanted: 'v2', outcome: 'passed', back: 'v1' },
  ],
  ['the last promotion was passed by', { live: 'v2', verified: 'v2', wanted: 'v1', outcome: 'superseded' }],
])('a lane is in step if %s', (_, given) => {
  expect(compareFacts(factsOf(given), now)).toMatchObject({ kind: 'in-step', disagreements: [] });
});

const hold = { id: 'h', cause: 'rolled-back', by: 'ada', reason: 'wrong sums', since: 0 } as const;

test.each<[string, Given, readonly string[]]>([
  [
    'a roll-back by hand whose hold no person has lifted',
    { live: 'v1', verified: 'v2', wanted: 'v2', outcome: 'passed', back: 'v1', holds: [hold] },
    ['v1 is live in test, but this lane verified v2 last'],
  ],
  [
    'a roll-back elsewhere',
    { live: 'v1', verified: 'v2', wanted: 'v2', outcome: 'passed' },
    ['v1 is live in test, but this lane verified v2 last'],
  ],
  [
    'nothing left enabled',
    { verified: 'v2', wanted: 'v2', outcome: 'passed' },
    ['no version is enabled in test, but this lane verified v2 last'],
  ],
  [
    'a cancelled promotion whose version is there',
    { live: 'v1', wanted: 'v1', outcome: 'cancelled' },
    ['v1 is live in test, but this lane has not verified any version'],
  ],
  [
    'a failed promotion that was taken back',
    { live: 'v1', verified: 'v1', wanted: 'v2', outcome: 'failed' },
    ['v2 should be live in test, but v1 is'],
  ],
  [
    'a version by hand, before the promotion of the same one',
    { live: 'v2', verified: 'v1', wanted: 'v2', active: atGate('v2') },
    ['v2 is live in test, but this lane verified v1 last'],
  ],
  [
    'three versions',
    { live: 'v3', verified: 'v1', wanted: 'v2', outcome: 'failed' },
    ['v3 is live in test, but this lane verified v1 last', 'v2 should be live in test, but v3 is'],
  ],
])('a lane is out of step after %s', (_, given, disagreements) => {
  expect(compareFacts(factsOf(given), now)).toEqual({
    kind: 'out-of-step',
    disagreements,
    byAnotherLane: false,
  });
});

test.each<[string, NonNullable<Given['record']>]>([
  ['has never answered', { answer: undefined }],
  ['does not answer now', { failure: { reason: 'no answer', since: now } }],
  ['has not answered since a change', { changedSince: true }],
  ['answered too long ago', { answer: { version: 'v1', commit: undefined, at: now - 700_000 } }],
])('whether a lane is in step is unknown if the platform %s', (_, record) => {
  const given = { live: 'v1', verified: 'v2', wanted: 'v2', outcome: 'passed', record } as const;
  expect(compareFacts(factsOf(given), now)).toMatchObject({ kind: 'unknown', disagreements: [] });
});

test('a version that another lane has brought is out of step, and by another lane', () => {
  const given = { live: 'v9', verified: 'v2', wanted: 'v2', outcome: 'passed' } as const;
  const brought = { version: 'v9', lane: '77/p/main-to-test' };
  expect(compareFacts(factsOf({ ...given, record: { brought } }), now)).toMatchObject({
    kind: 'out-of-step',
    byAnotherLane: true,
  });
  const own = { version: 'v9', lane: '77/p/to-test' };
  expect(compareFacts(factsOf({ ...given, record: { brought: own } }), now).byAnotherLane).toBe(false);
});
