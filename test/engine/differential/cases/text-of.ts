import { type ColumnName, quote } from '../differential-case.ts';

/** A column as the text that the warehouse makes of it: timestamps have milliseconds. */
export function textOf(name: ColumnName): string {
  if (name !== 'AT') return `CAST(${quote(name)} AS text)`;
  return `to_char(date_trunc('milliseconds', "AT"), 'YYYY-MM-DD HH24:MI:SS.MS')`;
}
