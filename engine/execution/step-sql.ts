/** UTF-16 units of one text, and texts of one step: steps are kept in memory and stored. */
const maxLength = 4_000;
const maxTexts = 20;

/** SQL as a step shows it: long texts are cut, and after many the rest is counted. */
export function stepSql(texts: readonly string[]): readonly string[] {
  const shown = texts
    .slice(0, maxTexts)
    .map((text) => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text));
  const more = texts.length - shown.length;
  return more === 0 ? shown : [...shown, `… and ${more} more`];
}
