import fc from 'fast-check';
import validRange from 'semver/ranges/valid.js';
import { describe, expect, test } from 'vitest';
import {
  orderByName,
  orderByTime,
  sortNames,
  versionDenial,
  type VersionTimes,
} from '../../../flows/versions/version-order.ts';
import { versionsSchema } from '../../../lib/config/project/versions-schema.ts';

const rule = (given: object = {}) => versionsSchema.parse(given);

describe('by name', () => {
  test.each([
    ['v1.2.0', 'v1.2.0-rc.1', 'newer'],
    ['v1.2.0-rc.2', 'v1.2.0-rc.10', 'older'],
    ['v1.2.0-rc10', 'v1.2.0-rc9', 'newer'],
    ['v1.2.0-rc.11', 'v1.2.0-rc10', 'newer'],
    ['v1.2.0-rc09', 'v1.2.0-rc9', 'unknown'],
    ['v1.2.0-beta10.1', 'v1.2.0-beta9.7', 'newer'],
    ['v1.2.0-beta1', 'v1.2.0-alpha2', 'newer'],
    ['v1.2.0-rc1', 'v1.2.0-rc', 'newer'],
    ['v1.2.0', 'v1.2.0-rc10', 'newer'],
    ['v1.2.0-14-gabc1234', 'v1.2.0-9-gdef5678', 'newer'],
    ['v1.2.0-b99999999999999999999', 'v1.2.0-b100000000000000000000', 'older'],
    ['v1.10.0', 'v1.9.0', 'newer'],
    ['2.0.0', 'v1.9.5', 'newer'],
    ['finance/v1.4.0', 'finance/v1.3.9', 'newer'],
    ['1.2', '1.2.0', 'unknown'],
    ['1.2.0+a', '1.2.0+b', 'unknown'],
    ['2026.02.01', '2026.01.31', 'newer'],
    ['nightly', 'v1.0.0', 'unknown'],
    ['20261122', '20261121', 'unknown'],
    ['deadbeef', '1.0.0', 'unknown'],
    ['v1.0.0', 'v1.0.0', 'unknown'],
    ['release-1.9.5', 'release-2.0.0', 'older'],
    ['release-1.10.0', 'release-1.10.0-rc.1', 'newer'],
    ['V1.10.0', 'v1.9.0', 'newer'],
    ['ledger@1.10.0', 'ledger@1.9.0', 'newer'],
    ['@finance/ledger@1.10.0', '@finance/ledger@1.9.0', 'newer'],
    ['hotfix-1.1.0', 'release-1.0.0', 'unknown'],
    ['release-1.1.0', 'v1.0.0', 'unknown'],
  ] as const)('%s is, compared with %s, %s', (version, other, order) => {
    expect(orderByName(version, other, rule())).toBe(order);
    const back = { newer: 'older', older: 'newer', unknown: 'unknown' } as const;
    expect(orderByName(other, version, rule())).toBe(back[order]);
  });

  test('a lane of semantic versions compares the words of a pre-release as semantic versions do', () => {
    expect(orderByName('v1.2.0-rc10', 'v1.2.0-rc9', rule({ order: 'semantic' }))).toBe('older');
    expect(orderByName('v1.2.0-rc.10', 'v1.2.0-rc.9', rule({ order: 'semantic' }))).toBe('newer');
  });

  test('the order of pre-releases is transitive', () => {
    const word = fc.constantFrom('rc', 'rc1', 'rc9', 'rc10', '9rc', '10', '9', 'a-1', 'rc-10', 'b2c');
    const name = fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => `1.0.0-${words.join('.')}`);
    fc.assert(
      fc.property(name, name, name, (a, b, c) => {
        const order = (one: string, other: string) => orderByName(one, other, rule());
        if (order(a, b) === 'newer' && order(b, c) !== 'older') expect(order(a, c)).toBe('newer');
      }),
    );
  });

  test('nothing is ordered where the lane orders by time', () => {
    expect(orderByName('v2.0.0', 'v1.0.0', rule({ order: 'time' }))).toBe('unknown');
  });
});

test('a list has names without a version first, then each release after its candidates', () => {
  const names = ['v1.10.0', 'nightly-10', 'v1.9.0', 'v1.9.0-rc10', 'v1.9.0-rc2', 'nightly-9'];
  expect(names.toSorted(sortNames)).toEqual([
    'nightly-9',
    'nightly-10',
    'v1.9.0-rc2',
    'v1.9.0-rc10',
    'v1.9.0',
    'v1.10.0',
  ]);
});

describe('by time', () => {
  const times = (given: Partial<VersionTimes>): VersionTimes => ({
    relation: 'diverged',
    committedAt: [undefined, undefined],
    taggedAt: [undefined, undefined],
    ...given,
  });
  test.each([
    ['a descendant, whatever the times', times({ relation: 'ahead', committedAt: [1, 2] }), 'newer'],
    ['an ancestor', times({ relation: 'behind', committedAt: [2, 1] }), 'older'],
    ['the later of two commits in two lines', times({ committedAt: [2, 1], taggedAt: [1, 2] }), 'newer'],
    ['the later tag on one commit', times({ relation: 'identical', taggedAt: [1, 2] }), 'older'],
    ['the later tag of two commits at one time', times({ committedAt: [1, 1], taggedAt: [2, 1] }), 'newer'],
    [
      'a lightweight tag on the same commit',
      times({ relation: 'identical', taggedAt: [1, undefined] }),
      'unknown',
    ],
  ] as const)('%s', (_, given, order) => {
    expect(orderByTime(given)).toBe(order);
  });
});

describe('a lane promotes no version', () => {
  test.each([
    ['v1.2.0-rc.1', { prereleases: false }, 'pre-release'],
    ['v2.0.0', { allow: '>=1.2 <2' }, '>=1.2 <2'],
    ['v2.0.0-rc.1', { allow: '>=1.2 <2' }, '>=1.2 <2'],
    ['nightly', { allow: '>=1.2 <2' }, 'not a semantic version'],
    ['nightly', { order: 'semantic' }, 'not a semantic version'],
  ])('%s under %o', (version, given, reason) => {
    expect(versionDenial(version, rule(given))).toContain(reason);
  });

  test.each([
    ['v1.2.0-rc.1', {}],
    ['v1.3.0-rc.1', { allow: '>=1.2 <2' }],
    ['v1.2.0', { allow: '>=1.2 <2', prereleases: false }],
    ['v0.9.1', { allow: '^1.2 || ~0.9.1' }],
    ['nightly', { prereleases: false }],
  ])('but %s under %o', (version, given) => {
    expect(versionDenial(version, rule(given))).toBeUndefined();
  });
});

test('every range that the settings accept is one for the library too', () => {
  const number = fc.oneof(fc.nat({ max: 99 }), fc.constant(999_999_999));
  const version = fc
    .tuple(
      fc.constantFrom('', 'v'),
      fc.array(number, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '-rc.1', '-a-b.0'),
    )
    .map(([v, numbers, pre]) => `${v}${numbers.join('.')}${numbers.length === 3 ? pre : ''}`);
  const comparator = fc
    .tuple(fc.constantFrom('', '>', '>=', '<', '<=', '=', '^', '~'), version)
    .map((parts) => parts.join(''));
  const range = fc
    .array(fc.array(comparator, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
    .map((sets) => sets.map((one) => one.join(' ')).join(' || '))
    .filter(({ length }) => length <= 200);
  fc.assert(
    fc.property(range, (allow) => {
      expect(rule({ allow }).allow).toBe(allow);
      expect(validRange(allow)).not.toBeNull();
    }),
  );
});

test.each(['', 'latest', '>=1.2 <', '1.2.x', '>=01.2', '1 - 2', '>1.2, <2'])(
  'the settings refuse the range %o',
  (allow) => {
    expect(versionsSchema.safeParse({ allow }).success).toBe(false);
  },
);
