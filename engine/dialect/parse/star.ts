import type { Star } from './tree.ts';
import type { Cursor } from './cursor.ts';

/**
 * Parses `*` or `table.*`, with the columns that it excludes. If there is something else, returns undefined and
 * consumes nothing.
 */
export function parseStar(cursor: Cursor): Star | undefined {
  const { at } = cursor;
  let ahead = 0;
  while (['word', 'quoted'].includes(cursor.peek(ahead).kind) && cursor.isOperator('.', ahead + 1))
    ahead += 2;
  if (!cursor.isOperator('*', ahead)) return undefined;
  const of = Array.from({ length: ahead / 2 }, () => {
    const name = cursor.name();
    cursor.expectOperator('.');
    return name;
  });
  cursor.expectOperator('*');
  for (const word of ['RENAME', 'REPLACE', 'ILIKE'])
    if (cursor.isWord(word)) throw cursor.refusal(`* ${word}`, at);
  if (!cursor.takeWord('EXCLUDE')) return { kind: 'star', at, of, excluded: [] };
  const excluded = cursor.isOperator('(')
    ? cursor.inParentheses(() => cursor.list(() => cursor.name()))
    : [cursor.name()];
  if (cursor.isWord('RENAME')) throw cursor.refusal('* RENAME', at);
  return { kind: 'star', at, of, excluded };
}
