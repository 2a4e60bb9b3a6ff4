import { expect, test } from 'vitest';
import { closestWord } from '../../../../lib/core/text/closest-word.ts';

const words = ['environments', 'project', 'lanes', 'review', 'to'];

test.each([
  ['enviroments', 'environments'],
  ['porject', 'project'],
  ['PROJECT', 'project'],
  ['lane', 'lanes'],
  ['ot', 'to'],
  ['x', undefined],
  ['reviewers-of-it', undefined],
  ['', undefined],
])('the closest word to %j is %s', (given, meant) => {
  expect(closestWord(given, words)).toBe(meant);
});

test('a word of a megabyte has no closest word', () => {
  expect(closestWord('x'.repeat(1_000_000), ['x'.repeat(999_999)])).toBeUndefined();
});
