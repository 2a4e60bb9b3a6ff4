/** A word out of a foreign file can be a megabyte long; nobody meant that. */
export const longestCompared = 100;

/** The word that was probably meant, or nothing where none is near: at most a third of the letters differ. */
export function closestWord(given: string, known: readonly string[]): string | undefined {
  if (given.length > longestCompared) return undefined;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(given.length / 3)) + 1;
  for (const word of known) {
    // That many letters differ at least.
    if (Math.abs(word.length - given.length) >= least) continue;
    const distance = distanceOf(given.toLowerCase(), word.toLowerCase());
    if (distance < least) {
      best = word;
      least = distance;
    }
  }
  return best;
}

/** Edits (insert, delete, replace, swap of neighbours) that turn one word into the other. */
function distanceOf(a: string, b: string): number {
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
