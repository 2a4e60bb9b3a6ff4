import { SqlError } from '../core/refusal.ts';
import type { Warehouse } from '../duckdb/warehouse.ts';
import { type BoundRows, composeQuery } from './compose-query.ts';

/**
 * The component whose rows cannot be computed, the first in the order of sources; undefined if all can. It runs every
 * component by itself, which takes time: only after a statement has failed.
 */
export async function findCulprit(
  last: BoundRows,
  warehouse: Warehouse,
): Promise<{ readonly component: string; readonly error: SqlError } | undefined> {
  for (const bound of inOrder(last)) {
    try {
      // The hash reads every column: a count alone would not compute them.
      await warehouse.query(`SELECT bit_xor(hash(q)) FROM (${composeQuery(bound)}) AS q`, { maxRows: 1 });
    } catch (error) {
      if (error instanceof SqlError) return { component: bound.component, error };
      throw error;
    }
  }
  return undefined;
}

function inOrder(last: BoundRows): ReadonlySet<BoundRows> {
  const seen = new Set<BoundRows>();
  const visit = (bound: BoundRows): void => {
    if (seen.has(bound)) return;
    for (const source of bound.sources) visit(source);
    seen.add(bound);
  };
  visit(last);
  return seen;
}
