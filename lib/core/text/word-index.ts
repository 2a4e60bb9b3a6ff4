import { closestWords, comparisonBudget, distanceOf, maxComparedLength } from './closest-word.ts';
import { lookOf, onlyLooksLike } from './look-alike.ts';

/** Finds the closest word of a list for many misspelled words. */
export interface WordIndex {
  /** What `closestWords` gives, in the order of the words. */
  closest(word: string): readonly string[];
}

/**
 * Builds an index of words on its first use. Words that differ in one edit, or only look alike, are found by
 * look-up, whatever the number of words. For larger differences, every word is compared, as long as the budget
 * lasts; all misspelled words share this budget.
 */
export function wordIndex(words: Iterable<string>, budget = comparisonBudget()): WordIndex {
  let opened: Index | undefined;
  return {
    closest(word) {
      if (word.length > maxComparedLength) return [];
      opened ??= openIndex(words);
      const alike = (opened.byLook.get(lookOf(word)) ?? []).filter((other) => onlyLooksLike(word, other));
      if (alike.length > 0) return alike;
      const near = withinOneEdit(word, opened);
      return near.length > 0 ? near : closestWords(word, opened.words, budget);
    },
  };
}

interface Index {
  readonly words: readonly string[];
  /** The words by what a reader sees of them. */
  readonly byLook: ReadonlyMap<string, readonly string[]>;
  /** The places of the words, by the hash of each text that a word gives without one of its characters, and of the word itself. */
  readonly byPart: ReadonlyMap<number, readonly number[]>;
}

function openIndex(words: Iterable<string>): Index {
  const all = Array.from(words);
  const compared = all.filter(({ length }) => length <= maxComparedLength);
  const byPart = new Map<number, number[]>();
  for (const [place, word] of all.entries()) {
    if (word.length > maxComparedLength) continue;
    for (const hash of partHashes(word.toLowerCase())) {
      const places = byPart.get(hash);
      if (places === undefined) byPart.set(hash, [place]);
      else places.push(place);
    }
  }
  return { words: all, byLook: Map.groupBy(compared, lookOf), byPart };
}

/** The words that differ in at most one edit, those that differ in none alone. */
function withinOneEdit(word: string, { words, byPart }: Index): readonly string[] {
  const lowerCase = word.toLowerCase();
  // Two words that one edit makes equal give the same text without one of their characters, or one of them is that text.
  const places = new Set([...partHashes(lowerCase)].flatMap((hash) => byPart.get(hash) ?? []));
  const near = [...places]
    .toSorted((a, b) => a - b)
    .flatMap((place) => words[place] ?? [])
    .map((other) => ({ other, distance: distanceOf(lowerCase, other.toLowerCase()) }))
    .filter(({ distance }) => distance <= 1);
  const smallest = Math.min(...near.map(({ distance }) => distance));
  return near.filter(({ distance }) => distance === smallest).map(({ other }) => other);
}

/** A prime below 2^31: the hash of a text is a number in this base, modulo 2^32. */
const base = 0x01_00_01_93;

/** The hashes of a text, and of the text without each of its characters. */
function partHashes(text: string): ReadonlySet<number> {
  let end = 0;
  let power = 1;
  // From the right: the hash of what follows a character, and the weight of what is before it.
  const after: { readonly hash: number; readonly power: number }[] = [];
  for (let at = text.length - 1; at >= 0; at -= 1) {
    after.push({ hash: end, power });
    end = (end + Math.imul(text.charCodeAt(at), power)) | 0;
    power = Math.imul(power, base);
  }
  const hashes = new Set([end]);
  let begin = 0;
  for (const [at, { hash, power: weight }] of after.toReversed().entries()) {
    hashes.add((Math.imul(begin, weight) + hash) | 0);
    begin = (Math.imul(begin, base) + text.charCodeAt(at)) | 0;
  }
  return hashes;
}
