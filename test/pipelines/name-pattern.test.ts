import { describe, expect, test } from 'vitest';
import { type NameMatcher, namePattern } from '../../pipelines/rules/name-pattern.ts';
import { isRefusal } from '../../pipelines/rules/rule.ts';

function matcher(pattern: string): NameMatcher {
  const found = namePattern(pattern);
  if (isRefusal(found)) throw new Error(found.reason);
  return found;
}

/** The names that match. */
function matching(pattern: string, names: readonly string[]): readonly string[] {
  const others = matcher(pattern)(names);
  if (isRefusal(others)) throw new Error(others.reason);
  return names.filter((name) => !others.has(name));
}

describe('a pattern that can be read', () => {
  test.each([
    ['the whole name', '[A-Z][a-z]*', ['Load', 'load', 'Load 1'], ['Load']],
    ['either alternative as a whole', 'a|bc', ['a', 'bc', 'ac', 'abc'], ['a', 'bc']],
    ['its own anchors', '^[a-z]+$', ['load', 'Load'], ['load']],
    ['letters of every script', '\\p{Lu}\\p{L}*', ['Übung', 'übung'], ['Übung']],
    ['a character outside the basic plane as one', '.', ['😀', 'ab'], ['😀']],
    ['any case after (?i)', '(?i)load', ['LOAD', 'lead'], ['LOAD']],
    ['an escaped hyphen in a class as a hyphen', '[a\\-z]+', ['a-z', 'b'], ['a-z']],
    ['an escaped hyphen outside a class', 'a\\-b', ['a-b', 'ab'], ['a-b']],
    ['marks that are escaped without need', '\\_\\"\\ \\#', ['_" #'], ['_" #']],
    ['brackets in a class', '[\\[\\]]+', ['[]', 'a'], ['[]']],
    ['nothing across a line end with a dot', '.*', ['a\nb', 'ab'], ['ab']],
    ['what a group captured', '(a|b)\\1', ['aa', 'ab'], ['aa']],
  ])('matches %s', (_title, pattern, names, expected) => {
    expect(matching(pattern, names)).toEqual(expected);
  });

  test('gives the same answer when asked again', () => {
    const match = matcher('[a-z]+');
    expect(match(['a', 'B'])).toEqual(new Set(['B']));
    expect(match(['B', 'a', 'C'])).toEqual(new Set(['B', 'C']));
  });
});

test('a harmless pattern is never refused, however many files there are', () => {
  const match = matcher('^[A-Z][A-Za-z0-9 *+?]*$');
  const answers = Array.from({ length: 20_000 }, (_, file) => match([`Step ${file}`, `bad ${file}`]));
  expect(answers.every((answer) => !isRefusal(answer) && answer.size === 1)).toBe(true);
});

test.each(['a?a?a?a?a?aaaaa', '([a-z]+)+', '[a-z]+[a-z]+[a-z]+x', '(a|a)*b', 'a{0,40}a{0,40}b'])(
  '%s may explode and is watched, and still answers for short names',
  (pattern) => {
    expect(isRefusal(matcher(pattern)(['aaaaa', 'b']))).toBe(false);
  },
);

describe('a pattern that is refused', () => {
  test.each([
    ['an open class', '[a'],
    ['an open group', '(a'],
    ['groups that pair only with a group around them', 'a)(b'],
    ['a repetition of nothing', '*a'],
    ['an escape that nobody knows', '\\A'],
    ['a longer one than any real pattern', 'a'.repeat(1001)],
    ['nested groups that would exhaust the engine’s compiler', '('.repeat(20_000) + 'x' + ')'.repeat(20_000)],
  ])('%s', (_title, pattern) => {
    expect(namePattern(pattern)).toMatchObject({ type: 'designer/invalid-regex-pattern' });
  });

  test('one that explodes is stopped, and stays refused for the files that follow', () => {
    const match = matcher('([a-z]+)+');
    expect(match(['abc'])).toEqual(new Set());
    expect(match([`${'a'.repeat(60)}!`])).toMatchObject({ type: 'designer/invalid-regex-pattern' });
    expect(match(['abc'])).toMatchObject({ type: 'designer/invalid-regex-pattern' });
  });

  test('one that is slow on every file, but never slow enough to be stopped, is refused in the end', () => {
    const match = matcher('([a-z]+)+');
    const answers = Array.from({ length: 200 }, (_, file) => match([`${'a'.repeat(22)}${file}!`]));
    expect(isRefusal(answers[0])).toBe(false);
    expect(isRefusal(answers.at(-1))).toBe(true);
  });

  test('the reason quotes a long pattern only in part', () => {
    const refused = namePattern(`[${'a'.repeat(2000)}`);
    expect(isRefusal(refused) && refused.reason.length).toBeLessThan(200);
  });
});
