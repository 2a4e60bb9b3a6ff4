import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closestWords } from '../../../../lib/core/text/closest-word.ts';
import { wordIndex } from '../../../../lib/core/text/word-index.ts';

test('an index finds the same words as a comparison with each word', () => {
  // The Cyrillic о only looks like the Latin o.
  const words = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'o', 'о', ' '), maxLength: 7 });
  fc.assert(
    fc.property(fc.array(words, { maxLength: 12 }), fc.array(words), (known, asked) => {
      const index = wordIndex(known);
      for (const word of asked) expect(index.closest(word)).toEqual(closestWords(word, known));
    }),
  );
});

test('a word with one wrong character is found when the budget for comparisons is used up', () => {
  const index = wordIndex(['load orders', 'load customers'], { left: 0 });
  expect(index.closest('laod orders')).toEqual(['load orders']);
  expect(index.closest('lod orderss')).toEqual([]);
  expect(index.closest('l'.repeat(1_000_000))).toEqual([]);
});
