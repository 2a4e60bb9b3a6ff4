import type { SqlType } from '../../../core/sql-type.ts';
import { digitsOf } from '../sql/typed.ts';

/**
 * The SQL for the text of an exact number. DuckDB leaves out the 0 before the decimal point if the type has no digits
 * there.
 */
export function numberText(sql: string, type: SqlType): string {
  const digits = digitsOf(type);
  const text = `CAST(${sql} AS VARCHAR)`;
  return digits?.precision === digits?.scale ? `regexp_replace(${text}, '^(-?)\\.', '\\10.')` : text;
}
