import type { Cursor } from '../parse/cursor.ts';

/** Options of a table that mean nothing on one machine. Everything else stays where it is, and is refused there. */
export function skipTableOptions(cursor: Cursor): void {
  while (cursor.warehouse === 'WAREHOUSE_ONE' ? skipOne(cursor) : skipTwo(cursor));
}

function skipOne(cursor: Cursor): boolean {
  if (cursor.takeWord('COPY', 'GRANTS')) return true;
  if (cursor.takeWord('CLUSTER', 'BY')) {
    cursor.inParentheses(() => cursor.list(() => cursor.expression()));
    return true;
  }
  for (const word of [
    'COMMENT',
    'DATA_RETENTION_TIME_IN_DAYS',
    'CHANGE_TRACKING',
    'MAX_DATA_EXTENSION_TIME_IN_DAYS',
  ]) {
    if (!cursor.takeWord(word)) continue;
    cursor.expectOperator('=');
    cursor.next();
    return true;
  }
  return false;
}

function skipTwo(cursor: Cursor): boolean {
  if (cursor.takeWord('DISTSTYLE') || cursor.takeWord('ENCODE')) {
    cursor.label();
    return true;
  }
  if (cursor.takeWord('BACKUP')) {
    cursor.label();
    return true;
  }
  cursor.takeOneOf('COMPOUND', 'INTERLEAVED');
  if (!cursor.takeWord('DISTKEY') && !cursor.takeWord('SORTKEY')) return false;
  cursor.inParentheses(() => cursor.list(() => cursor.name()));
  return true;
}
