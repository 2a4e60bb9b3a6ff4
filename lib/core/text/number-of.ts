/** `1 file`, `2 files`: a count with its noun, in the plural unless the count is one. */
export function numberOf(count: number, word: string, plural = `${word}s`): string {
  return `${String(count)} ${count === 1 ? word : plural}`;
}
