import type { WrittenSql } from '../components/component-type.ts';
import { atPlace, SqlError } from '../core/refusal.ts';
import { startOf } from '../core/source-text.ts';
import type { Warehouse } from '../duckdb/connection/warehouse.ts';
import { type BoundRows, composeQuery } from './compose-query.ts';

/**
 * Finds the first component, in the order of sources, whose rows cannot be computed. Undefined if all can. It runs
 * every component separately, which takes time, so call it only after a statement has failed. If the component
 * contains SQL, the error has the position of the SQL that fails.
 */
export async function findCulprit(
  last: BoundRows,
  warehouse: Warehouse,
): Promise<{ readonly component: string; readonly error: unknown } | undefined> {
  for (const bound of inOrder(last)) {
    const error = await errorOf(composeQuery(bound), warehouse);
    if (error === undefined) continue;
    const { written = [] } = bound;
    const compose = ({ sql }: WrittenSql) => composeQuery({ ...bound, sql });
    const located = await errorOfPart(error, written, warehouse, compose);
    return { component: bound.component, error: located };
  }
  return undefined;
}

/** The error of a component, with the position of the first of its SQL texts that fails when it is run separately. */
export async function errorOfPart(
  error: SqlError,
  written: readonly WrittenSql[],
  warehouse: Warehouse,
  compose: (part: WrittenSql) => string,
): Promise<unknown> {
  for (const part of written) {
    const partError = await errorOf(compose(part), warehouse);
    if (partError !== undefined)
      return atPlace(partError, startOf(part.source), { sql: part.source.text, ran: part.sql });
  }
  return error;
}

async function errorOf(query: string, warehouse: Warehouse): Promise<SqlError | undefined> {
  try {
    // The hash reads every column: a count alone would not compute them.
    await warehouse.query(`SELECT bit_xor(hash(q)) FROM (${query}) AS q`, { maxRows: 1 });
  } catch (error) {
    if (error instanceof SqlError) return error;
    throw error;
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
