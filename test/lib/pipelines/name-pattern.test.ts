import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type NameMatcher, namePattern } from '../../../lib/pipelines/rules/name-pattern.ts';
import { isRefusal } from '../../../lib/pipelines/rules/rule.ts';

async function matcher(pattern: string): Promise<NameMatcher> {
  const found = await namePattern(pattern);
  if (isRefusal(found)) throw new Error(found.reason);
  return found;
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
    ['an escaped backslash before a u', 'a\\\\u00e9', ['a\\u00e9', 'aé'], ['a\\u00e9']],
    ['nothing across a line end with a dot', '.*', ['a\nb', 'ab'], ['ab']],
    ['letters by their number, in either spelling', '\\u00e9|\\x{e8}', ['é', 'è', 'e'], ['é', 'è']],
    ['a named group', '(?<word>[a-z]+)', ['ab', 'A'], ['ab']],
    ['the first 255 of anything', '.{1,255}', ['a'.repeat(255), 'a'.repeat(256)], ['a'.repeat(255)]],
    ['nested repetitions, on which others explode', '([a-z]+)+', ['abc', `${'a'.repeat(60)}!`], ['abc']],
  ])('matches %s', async (_title, pattern, names, expected) => {
    expect(names.filter(await matcher(pattern))).toEqual(expected);
  });

  test('says of ordinary patterns what the language’s own engine says', async () => {
    const patterns = ['[A-Z][A-Za-z0-9 ]*', '^[a-c]+_?[a-c]*$', '(a|b)*c', '[^A]+', 'a{2,3}b?', '\\w+'];
    for (const pattern of patterns) {
      const matches = await matcher(pattern);
      const own = new RegExp(`^(?:${pattern})$`, 'u');
      const name = string({ unit: constantFrom('a', 'b', 'c', 'A', '1', '_', ' ', 'é'), maxLength: 12 });
      assert(
        property(name, (each) => matches(each) === own.test(each)),
        { numRuns: 200, seed: 3 },
      );
    }
  });
});

test.each(['(a+)+', '(a|a)*b', 'a?'.repeat(30) + 'a'.repeat(30), '(.*)(.*)(.*)(.*)(.*)x', '([a-z]+)*=='])(
  '%s answers for a name of a million letters: its time grows with the name alone',
  async (pattern) => {
    expect((await matcher(pattern))(`${'a'.repeat(1_000_000)}!`)).toBe(false);
  },
);

describe('a pattern that is refused', () => {
  test.each([
    ['an open class', '[a'],
    ['an open group', '(a'],
    ['groups that pair only with a group around them', 'a)(b'],
    ['a repetition of nothing', '*a'],
    ['an unknown escape', '\\y'],
    ['a longer one than any real pattern', 'a'.repeat(1001)],
    ['nested groups that would exhaust a compiler', '('.repeat(20_000) + 'x' + ')'.repeat(20_000)],
    ['repetitions of repetitions', '((a{1,100}){1,100}){1,100}'],
    ['a million steps in a row', '(\\p{L}{1,900})'.repeat(10)],
    ['a look ahead', '(?=a)a'],
    ['a look behind', '(?<!a)b'],
    ['what a group captured', '(a|b)\\1'],
  ])('%s', async (_title, pattern) => {
    expect(await namePattern(pattern)).toMatchObject({ type: 'designer/invalid-regex-pattern' });
  });

  test.each([
    [
      '(?=a)a',
      '(?=a)a cannot be read as a pattern: it uses lookaround, or another feature without bounded time',
    ],
    ['[a', '[a cannot be read as a pattern: missing closing ]'],
    ['a{2,1}', 'a{2,1} cannot be read as a pattern: invalid repeat count'],
  ])('the reason for %s says what is wrong', async (pattern, reason) => {
    expect(await namePattern(pattern)).toMatchObject({ reason });
  });

  test('the reason quotes a long pattern only in part', async () => {
    const refused = await namePattern(`[${'a'.repeat(900)}`);
    expect(isRefusal(refused) && refused.reason.length).toBeLessThan(200);
  });
});
