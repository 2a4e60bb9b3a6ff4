import { shorten } from '../../../lib/core/text/shorten.ts';

/** UTF-16 units of all texts of one step: steps are kept in memory and stored. */
const maxLength = 8_000;

/**
 * The SQL texts as a step shows them. Text beyond the limit is cut, and the SQL texts that are left out are
 * counted.
 */
export function stepSql(texts: readonly string[]): readonly string[] {
  const shown: string[] = [];
  let left = maxLength;
  for (const text of texts) {
    if (left <= 0) break;
    shown.push(shorten(text, left));
    left -= text.length;
  }
  const more = texts.length - shown.length;
  return more === 0 ? shown : [...shown, `… and ${more} more`];
}
