import type { Alias } from '../tree.ts';
import type { Cursor } from './cursor.ts';

/** Words after a table or a value that are not its alias. */
const NO_ALIAS = new Set(
  `FROM WHERE GROUP HAVING QUALIFY ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT MINUS ON USING JOIN INNER LEFT RIGHT FULL
  CROSS NATURAL ASOF LATERAL WHEN SET VALUES WINDOW INTO PIVOT UNPIVOT SAMPLE TABLESAMPLE AT BEFORE CHANGES MATCH_RECOGNIZE
  CONNECT START EXCLUDE RENAME`.split(/\s+/),
);
const REFUSED_AFTER_TABLE = ['SAMPLE', 'TABLESAMPLE', 'AT', 'BEFORE', 'CHANGES', 'MATCH_RECOGNIZE'];

function refusedAfterTable({ warehouse }: Cursor): readonly string[] {
  return warehouse === 'WAREHOUSE_ONE' ? REFUSED_AFTER_TABLE : [...REFUSED_AFTER_TABLE, 'PIVOT', 'UNPIVOT'];
}

export function isAliasAhead(cursor: Cursor): boolean {
  const token = cursor.peek();
  return token.kind === 'quoted' || (token.kind === 'word' && !NO_ALIAS.has(token.value));
}

export function parseAlias(cursor: Cursor): Alias | undefined {
  for (const word of refusedAfterTable(cursor)) if (cursor.isWord(word)) throw cursor.refusal(word);
  if (!cursor.takeWord('AS') && !isAliasAhead(cursor)) return undefined;
  const name = cursor.name();
  const columns = cursor.isOperator('(') ? cursor.inParentheses(() => cursor.list(() => cursor.name())) : [];
  for (const word of refusedAfterTable(cursor)) if (cursor.isWord(word)) throw cursor.refusal(word);
  return { name, columns };
}
