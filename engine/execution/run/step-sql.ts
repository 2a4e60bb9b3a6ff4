import { shorten } from '../../../lib/core/text/shorten.ts';
import type { StepDetails } from './step-log.ts';

/** UTF-16 units of all texts of one step: steps are kept in memory and stored. */
const maxLength = 8_000;

/** The details that a step keeps of the statements that ran. */
export function sqlDetails(texts: readonly string[]): Pick<StepDetails, 'sql' | 'changed'> {
  const changed = new Set<string>();
  for (const table of texts.flatMap((text) => changedTable(text) ?? [])) {
    changed.delete(table);
    changed.add(table);
  }
  return { sql: stepSql(texts), ...(changed.size > 0 && { changed: [...changed] }) };
}

/** The table that a statement changes: the first that it names. */
function changedTable(statement: string): string | undefined {
  // The rows of a query may be kept in a temporary table first: the first name is a table that it reads.
  if (/^\s*CREATE\s+(?:OR\s+REPLACE\s+)?TEMP\b/i.test(statement)) return undefined;
  if (!/^\s*(?:INSERT|UPDATE|DELETE|MERGE|CREATE|TRUNCATE|ALTER)\b/i.test(statement)) return undefined;
  return /"(?:[^"]|"")+"\."(?:[^"]|"")+"/.exec(statement)?.[0];
}

/** The SQL as a step shows it. A text that exceeds the limit is cut, and the texts after it are only counted. */
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
