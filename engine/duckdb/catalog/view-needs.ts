import type { Catalog, Table, ViewNeed } from '../../core/relation.ts';
import { quoteName, quoteText } from './physical-name.ts';

const marker = 'millrace:';

/**
 * The tables and columns that a view reads. They are found in the view's SQL for DuckDB, in which the dialect gives
 * each table its own alias.
 */
export function viewNeeds(sql: string, reads: readonly Table[]): readonly ViewNeed[] {
  return reads.map((table) => {
    const aliases = sql
      .split(`${table.sql} AS `)
      .slice(1)
      .map((rest) => /^\w+/.exec(rest)?.[0] ?? '');
    const isRead = (name: string) => aliases.some((alias) => sql.includes(`${alias}.${quoteName(name)}`));
    const columns = table.columns.map(({ name }) => name).filter(isRead);
    return { table: table.sql, columns };
  });
}

/**
 * The tables and columns that a query reads which consists of the components of a transformation. If two tables have
 * a column with the same name, both columns are included.
 */
export function queryNeeds(sql: string, tables: readonly Table[]): readonly ViewNeed[] {
  return tables.flatMap((table) => {
    if (!sql.includes(table.sql)) return [];
    const columns = table.columns.map(({ name }) => name).filter((name) => sql.includes(quoteName(name)));
    return [{ table: table.sql, columns }];
  });
}

/**
 * The tables and columns that a view reads in `WAREHOUSE_ONE`, where a table can be changed or dropped although a
 * view reads it. Also counts the columns that the view reads as `*`.
 */
export function countedNeeds(
  sql: string,
  reads: ReadonlyMap<string, Table>,
  starred: ReadonlySet<string>,
): readonly ViewNeed[] {
  return viewNeeds(sql, [...reads.values()]).map((need) => {
    const isStarred = starred.has(need.table);
    return { ...need, count: isStarred ? (reads.get(need.table)?.columns.length ?? null) : null };
  });
}

/**
 * A statement that stores in the comment of a view what the view reads. The engine needs this, because DuckDB drops a
 * table without checking whether views read it.
 */
export function declareNeeds(view: string, needs: readonly ViewNeed[]): readonly string[] {
  if (needs.length === 0) return [];
  return [`COMMENT ON VIEW ${view} IS ${quoteText(`${marker}${JSON.stringify(needs)}`)}`];
}

/** What a view reads, as `declareNeeds` stored it. */
export function declaredNeeds(comment: unknown): readonly ViewNeed[] | undefined {
  if (typeof comment !== 'string' || !comment.startsWith(marker)) return undefined;
  return JSON.parse(comment.slice(marker.length)) as readonly ViewNeed[];
}

/** The views that read one of the tables, or one of its columns, and the views that read those views. */
export function dependentViews(
  dropped: readonly Table[],
  catalog: Pick<Catalog, 'all'>,
  column?: string,
): readonly Table[] {
  const gone = new Set(dropped.map(({ sql }) => sql));
  const dependents: Table[] = [];
  let latest: ReadonlySet<string> = gone;
  let neededColumn = column;
  while (latest.size > 0) {
    const needed = latest;
    const next = catalog
      .all()
      .filter(
        ({ sql, needs }) =>
          !gone.has(sql) &&
          needs?.some(
            ({ table, columns, count }) =>
              count === undefined &&
              needed.has(table) &&
              (neededColumn === undefined || columns.includes(neededColumn)),
          ),
      );
    for (const { sql } of next) gone.add(sql);
    dependents.push(...next);
    latest = new Set(next.map(({ sql }) => sql));
    neededColumn = undefined;
  }
  return dependents;
}
