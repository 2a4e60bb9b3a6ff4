/** A word from a foreign file may be a megabyte long; longer words are not compared. In characters. */
export const maxComparedLength = 100;

/** The known word closest to `given`; `undefined` where more than a third of the characters differ. */
export function closestWord(given: string, known: readonly string[]): string | undefined {
  if (given.length > maxComparedLength) return undefined;
  let best: string | undefined;
  let minDistance = Math.max(1, Math.floor(given.length / 3)) + 1;
  for (const word of known) {
    // At least this many characters differ.
    if (Math.abs(word.length - given.length) >= minDistance) continue;
    const distance = distanceOf(given.toLowerCase(), word.toLowerCase());
    if (distance < minDistance) {
      best = word;
      minDistance = distance;
    }
  }
  return best;
}

/** Number of edits (insert, delete, replace, swap of neighbours) that turn one word into the other. */
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
