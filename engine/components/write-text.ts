import type { TableName } from '../core/relation.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';

/** The sentence for a step that wrote rows, such as `3 rows written to "orders".` */
export function rowsText(count: number, { table }: TableName): string {
  return `${numberOf(count, 'row')} written to "${table}".`;
}
