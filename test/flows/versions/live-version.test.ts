import { expect, test } from 'vitest';
import { liveVersion, newestFirst } from '../../../flows/versions/live-version.ts';

const listed = (versionName: string, day: number, enabled = true, deployedDay?: number) => ({
  versionName,
  enabled,
  createdAt: `2031-01-0${day}T00:00:00Z`,
  ...(deployedDay === undefined ? {} : { deployedAt: `2031-01-0${deployedDay}T00:00:00Z` }),
});

test('the newest enabled version is live, in whatever order the platform lists them', () => {
  const versions = [listed('v1', 1), listed('v3', 3, false), listed('v2', 2)];
  expect(liveVersion(versions)?.versionName).toBe('v2');
  expect(liveVersion(versions.toReversed())?.versionName).toBe('v2');
});

test('a version that was promoted later is newer than one that was created later', () => {
  const versions = [listed('created-last', 4), listed('promoted-last', 1, true, 5)];
  expect(newestFirst(versions).map(({ versionName }) => versionName)).toEqual([
    'promoted-last',
    'created-last',
  ]);
  expect(liveVersion(versions)?.versionName).toBe('promoted-last');
});

test('nothing is live where no version is enabled', () => {
  expect(liveVersion([])).toBeUndefined();
  expect(liveVersion([listed('v1', 1, false)])).toBeUndefined();
});

test.each([
  [['2031-01-02T00:00:00Z', ''], 0],
  [['1700000000000', '1600000000000'], 0],
  [['', '2031-01-02T00:00:00Z'], 0],
])('a time that cannot be read makes no version newer than those before it: %j', (times, live) => {
  const versions = times.map((createdAt, i) => ({ versionName: `v${i}`, enabled: true, createdAt }));
  expect(liveVersion(versions)?.versionName).toBe(`v${live}`);
});
