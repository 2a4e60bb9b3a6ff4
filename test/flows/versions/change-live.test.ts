import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeToMakeLive, changeToRollBack, type LiveChange } from '../../../flows/versions/change-live.ts';
import { liveVersion } from '../../../flows/versions/live-version.ts';
import type { ListedVersion } from '../../../lib/core/values/listed-version.ts';

/** The versions of an environment, the oldest first; `!` before a disabled one. */
function listed(...names: readonly string[]): ListedVersion[] {
  return names.map((name, i) => ({
    versionName: name.replace('!', ''),
    enabled: !name.startsWith('!'),
    createdAt: new Date(i * 1_000).toISOString(),
  }));
}

/** The environment after a change. */
function after(versions: readonly ListedVersion[], { live, enable, disable }: LiveChange): ListedVersion[] {
  return versions.map((one) => ({
    ...one,
    enabled: (one.enabled && !disable.includes(one.versionName)) || (enable && one.versionName === live),
  }));
}

test.each([
  ['the live version', ['a', 'b'], 'b', { enable: false, disable: [] }],
  ['an older version', ['a', 'b', '!c', 'd'], 'a', { enable: false, disable: ['b', 'd'] }],
  ['a disabled version that is newer', ['a', '!b'], 'b', { enable: true, disable: [] }],
  ['a disabled version that is older', ['!a', 'b'], 'a', { enable: true, disable: ['b'] }],
])('%s is made live', (_, versions, version, expected) => {
  expect(changeToMakeLive(listed(...versions), version)).toEqual({ live: version, ...expected });
});

test('a version that the environment does not have cannot be made live', () => {
  expect(changeToMakeLive(listed('a'), 'b')).toBeUndefined();
});

test.each([
  ['to the newest verified version', ['a', 'b', 'c'], ['a', 'b'], { live: 'b', disable: ['c'] }],
  ['past a version that was never verified', ['a', 'b', 'c'], ['a'], { live: 'a', disable: ['b', 'c'] }],
  ['past a verified version that is disabled', ['a', '!b', 'c'], ['a', 'b'], { live: 'a', disable: ['c'] }],
  ['to nothing if none was verified', ['a', 'b', 'c'], [], undefined],
  ['to nothing if the verified one is disabled', ['!a', 'b', 'c'], ['a'], undefined],
  ['and leaves a newer version alone', ['a', 'c', 'd'], ['a'], { live: 'd', disable: ['c'] }],
  ['again after a crash', ['a', 'b', '!c'], ['a'], { live: 'a', disable: ['b'] }],
])('a roll-back of c goes %s', (_, versions, verified, expected) => {
  const change = changeToRollBack(listed(...versions), 'c', new Set(verified));
  expect(change).toEqual(expected && { enable: false, ...expected });
});

test('if it is not known what was verified, a roll-back goes to the version before', () => {
  expect(changeToRollBack(listed('a', 'b', 'c'), 'c', undefined)).toMatchObject({
    live: 'b',
    disable: ['c'],
  });
});

const names = ['a', 'b', 'c', 'd', 'e'];
const environments = fc
  .tuple(fc.shuffledSubarray(names, { minLength: 1 }), fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }))
  .map(([order, enabled]) => listed(...order.map((name, i) => (enabled[i] === true ? name : `!${name}`))));

test('in any environment, the platform agrees on what is live after a change', () => {
  fc.assert(
    fc.property(
      environments,
      fc.constantFrom(...names),
      fc.subarray(names),
      (versions, version, verified) => {
        const made = changeToMakeLive(versions, version);
        expect(made === undefined).toBe(versions.every(({ versionName }) => versionName !== version));
        if (made !== undefined) expect(liveVersion(after(versions, made))?.versionName).toBe(version);
        const back = changeToRollBack(versions, version, new Set(verified));
        if (back === undefined) return;
        const then = after(versions, back);
        expect(liveVersion(then)?.versionName).toBe(back.live);
        expect(then.find(({ versionName }) => versionName === version)?.enabled).toBe(false);
        const goesBack =
          versions.findIndex(({ versionName }) => versionName === back.live) <
          versions.findIndex(({ versionName }) => versionName === version);
        if (goesBack) expect(verified).toContain(back.live);
      },
    ),
  );
});
