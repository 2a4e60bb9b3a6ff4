import { describe, expect, test } from 'vitest';
import { releaseVersion } from '../../../../lib/config/project/release-version.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';

describe('the version of a tag', () => {
  test.each([
    ['v*', '{tag}', 'v1.4.0', 'v1.4.0'],
    ['v*', '{*}', 'v1.4.0', '1.4.0'],
    ['finance/v*', '{*}', 'finance/v1.4.0', '1.4.0'],
    ['release-*-final', '{*}', 'release-7-final', '7'],
    ['v*', 'r{*}+{short-commit}', 'v2', 'r2+0123456789ab'],
    ['v*', '{commit}', 'v2', commit],
    ['v*', '1.0', 'v2', '1.0'],
    ['{v,r}*', '{*}', 'v2', 'v2'],
    ['stable', '{*}', 'stable', ''],
  ])('under the pattern %s, %s of %s is %j', (tag, version, pushed, name) => {
    expect(releaseVersion({ tag, version }, pushed, commit)).toBe(name);
  });

  test.each(['w1', 'finance/v1', 'av1'])('the tag %s does not match and is not a release', (pushed) => {
    expect(releaseVersion({ tag: 'v*', version: '{tag}' }, pushed, commit)).toBeUndefined();
  });

  test('braces in a tag are not taken for a placeholder', () => {
    expect(releaseVersion({ tag: 'v*', version: '{tag}' }, 'v{commit}$&', commit)).toBe('v{commit}$&');
  });
});
