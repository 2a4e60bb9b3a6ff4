import { onlyLooksLike } from './look-alike.ts';

/** The maximum length of a compared word, in characters, because a word in a foreign file may be a megabyte long. */
export const maxComparedLength = 100;

/** The number of pairs of characters that may still be compared. Each comparison of two words reduces it. */
export interface ComparisonBudget {
  left: number;
}

/**
 * A budget for all comparisons in one file or project, which may contain any number of words. It allows less than a
 * second of work: for example, 100 misspelled names can be compared with 500 names of 12 characters.
 */
export function comparisonBudget(): ComparisonBudget {
  return { left: 10_000_000 };
}

/** The cost of a comparison in addition to its characters, in pairs of characters. */
const comparisonCost = 10;

/** The cost of a character whose look is compared. */
const lookCost = 10;

/**
 * The word closest to `word` among `candidates`; `undefined` if more than a third of the characters differ, or
 * if the budget is used up.
 */
export function closestWord(
  word: string,
  candidates: Iterable<string>,
  budget?: ComparisonBudget,
): string | undefined {
  return closestWords(word, candidates, budget)[0];
}

/** All candidates with the smallest distance to a word, in their order; empty if `closestWord` gives `undefined`. */
export function closestWords(
  word: string,
  candidates: Iterable<string>,
  budget: ComparisonBudget = comparisonBudget(),
): readonly string[] {
  if (word.length > maxComparedLength) return [];
  // For a word that only looks like this one, the number of different characters has no meaning.
  const alike: string[] = [];
  const isPlain = plain.test(word);
  const lowerCase = word.toLowerCase();
  let closest: string[] = [];
  let maxDistance = Math.max(1, Math.floor(word.length / 3));
  for (const candidate of candidates) {
    budget.left -= comparisonCost;
    if (budget.left <= 0) return [];
    if ((!isPlain || !plain.test(candidate)) && candidate.length <= maxComparedLength) {
      budget.left -= lookCost * (word.length + candidate.length);
      if (onlyLooksLike(word, candidate)) alike.push(candidate);
    }
    // At least this many characters differ.
    if (Math.abs(candidate.length - word.length) > maxDistance) continue;
    budget.left -= word.length * candidate.length;
    const distance = distanceOf(lowerCase, candidate.toLowerCase());
    if (distance > maxDistance) continue;
    if (distance < maxDistance) closest = [];
    maxDistance = distance;
    closest.push(candidate);
  }
  return alike.length > 0 ? alike : closest;
}

/** Words in ASCII without blanks at their ends: two of them never only look alike. */
const plain = /^(?:[!-~](?:[ -~]*[!-~])?)?$/;

/** Number of edits (insert, delete, replace, swap of neighbours) that turn one word into the other. */
export function distanceOf(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
