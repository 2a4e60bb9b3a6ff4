import { changedColumns } from './changed-columns.ts';
import { sourceName, type Traced } from './described-trace.ts';
import type { TracedQuery } from './traced-queries.ts';

/**
 * Compares a trace with what changes of single values change. `missing`: columns that change a column of the result, and are not in
 * the trace; `unseen`: columns in the trace that change nothing. A view counts as the table that it reads.
 */
export async function compareWithChanges(
  { query, warehouse }: Traced,
  { sql }: TracedQuery,
  rowsOfTable: number,
): Promise<{ readonly missing: readonly string[]; readonly unseen: readonly string[] }> {
  const { columns, rows } = await query(sql);
  const changed = await changedColumns(warehouse, sql, rowsOfTable);
  const ofTable: Readonly<Record<string, string>> = { 'V.a1': 'T.a', 'V.ub': 'T.b' };
  const names = (sources: Iterable<Parameters<typeof sourceName>[0]>) =>
    Array.from(sources, sourceName).map((name) => ofTable[name] ?? name);
  const found = columns.map((column) => {
    const seen = changed.get(column.name) ?? new Set();
    const values = names([...column.values.keys(), ...column.choices]);
    const all = new Set([...values, ...names(rows)]);
    return {
      missing: [...seen].filter((source) => !all.has(source)).map((source) => `${column.name}: ${source}`),
      unseen: values.filter((source) => !seen.has(source)).map((source) => `${column.name}: ${source}`),
    };
  });
  return {
    missing: found.flatMap(({ missing }) => missing),
    unseen: [...new Set(found.flatMap(({ unseen }) => unseen))],
  };
}
