/** Whether a whole text matches a pattern as in LIKE: `%` means any text, and `_` means any single character. */
export function isLike(text: string, pattern: string): boolean {
  const [first = [], ...others] = pattern.split('%').map((part) => Array.from(part));
  const characters = Array.from(text);
  const fits = (part: readonly string[], at: number): boolean =>
    at + part.length <= characters.length &&
    part.every((character, index) => character === '_' || character === characters[at + index]);
  if (!fits(first, 0)) return false;
  const last = others.pop();
  if (last === undefined) return characters.length === first.length;
  let at = first.length;
  // The first place where a part fits leaves the most room for the others.
  for (const part of others) {
    while (at <= characters.length && !fits(part, at)) at += 1;
    at += part.length;
  }
  const end = characters.length - last.length;
  return end >= at && fits(last, end);
}
