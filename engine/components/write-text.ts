import type { TableName } from '../core/relation.ts';

/** `3 rows written to "orders".` */
export function rowsText(count: number, { table }: TableName): string {
  return `${count} ${count === 1 ? 'row' : 'rows'} written to "${table}".`;
}
