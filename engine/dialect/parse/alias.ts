import type { Alias } from './tree.ts';
import type { Cursor } from './cursor.ts';

/** Words after a table or a value that are not its alias. */
const NO_ALIAS = new Set(
  `FROM WHERE GROUP HAVING QUALIFY ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT MINUS ON USING JOIN INNER LEFT RIGHT FULL
  CROSS NATURAL ASOF LATERAL WHEN SET VALUES WINDOW INTO PIVOT UNPIVOT SAMPLE TABLESAMPLE AT BEFORE CHANGES MATCH_RECOGNIZE
  CONNECT START EXCLUDE RENAME FOR COLLATE`.split(/\s+/),
);
const VERSION = 'the engine does not keep earlier versions of a table: read the table as it is now';
const SAMPLE = 'a random sample differs in each run: select the rows with WHERE';
/** What to write instead of the word, or why it is refused. */
const REFUSED_AFTER_TABLE: readonly (readonly [word: string, hint: string])[] = [
  ['SAMPLE', SAMPLE],
  ['TABLESAMPLE', SAMPLE],
  ['AT', VERSION],
  ['BEFORE', VERSION],
  ['CHANGES', VERSION],
  ['MATCH_RECOGNIZE', 'use LAG, LEAD and QUALIFY to find the rows'],
];
function refuseAfterTable(cursor: Cursor): void {
  for (const [word, hint] of REFUSED_AFTER_TABLE)
    if (cursor.isWord(word)) throw cursor.refusal(`${word} after a table`, undefined, hint);
}

export function isAliasAhead(cursor: Cursor): boolean {
  if (cursor.isWord('WITH', 'NO', 'SCHEMA')) return false;
  const token = cursor.peek();
  return token.kind === 'quoted' || (token.kind === 'word' && !NO_ALIAS.has(token.value));
}

export function parseAlias(cursor: Cursor): Alias | undefined {
  refuseAfterTable(cursor);
  if (!cursor.takeWord('AS') && !isAliasAhead(cursor)) return undefined;
  const name = cursor.name('table');
  const columns = cursor.isOperator('(')
    ? cursor.inParentheses(() => cursor.list(() => cursor.name('column')))
    : [];
  refuseAfterTable(cursor);
  return { name, columns };
}
