import { expect, test } from 'vitest';
import { closestWord } from '../../../lib/core/closest-word.ts';

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
])('for %j it is %s that was meant', (given, meant) => {
  expect(closestWord(given, words)).toBe(meant);
});

test('a word of a megabyte is answered at once, with nothing', () => {
  expect(closestWord('x'.repeat(1_000_000), ['x'.repeat(999_999)])).toBeUndefined();
});
