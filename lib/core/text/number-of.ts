/** A number with its noun: `1 file`, `2 files`. The noun is in the plural unless the number is one. */
export function numberOf(count: number, word: string, plural = `${word}s`): string {
  return `${String(count)} ${count === 1 ? word : plural}`;
}
