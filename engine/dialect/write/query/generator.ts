import type { FromItem } from '../../parse/tree.ts';
import { refusal, type Writing } from '../sql/writing.ts';

const MAX_ROWS = 10_000_000;

/**
 * The SQL for the rows of `GENERATOR(ROWCOUNT => n)`. The rows have no columns that SQL can refer to, only a number
 * that SEQ4 and similar functions read.
 */
export function generatorSql(
  { call, at }: Extract<FromItem, { kind: 'generator' }>,
  writing: Writing,
): string {
  const count = call.named.get('ROWCOUNT');
  if (count === undefined || call.named.size > 1 || call.values.length > 0)
    throw refusal('GENERATOR with arguments other than ROWCOUNT => …', at, writing);
  const rows = count.kind === 'number' && /^\d{1,9}$/.test(count.value) ? Number(count.value) : Infinity;
  if (rows > MAX_ROWS)
    throw refusal(`GENERATOR with a ROWCOUNT that is not a whole number up to ${MAX_ROWS}`, at, writing);
  return `(SELECT range AS n FROM range(${rows}))`;
}
