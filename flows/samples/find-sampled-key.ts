import { canIdentify, isKeyName, isOwnKey, isResultName } from '../diff/find-key.ts';
import { type ComparedTable, onlyRow, sameKeySql, type SharedColumn, valuesSql } from './compared-table.ts';

/** Counts on each side the rows that share their values in some columns with another row. */
export async function repeatedRows(
  table: ComparedTable,
  columns: readonly SharedColumn[],
): Promise<readonly [before: number, after: number]> {
  const count = async (side: 0 | 1) => {
    const list = columns.map((_, index) => `v${index}`).join(', ');
    const [rows] = await onlyRow(
      `SELECT coalesce(sum(n), 0)::BIGINT FROM (SELECT count(*) AS n FROM (${valuesSql(table, side, columns)}) GROUP BY ${list} HAVING count(*) > 1)`,
      table.warehouse,
    );
    return Number(rows ?? 0);
  };
  const before = await count(0);
  return [before, await count(1)];
}

/** Columns whose values seem to be unique, from most to least likely to be a key. */
interface Candidate {
  readonly columns: readonly SharedColumn[];
  /** Smaller is better. */
  readonly rank: number;
}

/** More columns are not combined, and more candidates not tried: each one reads all rows. */
const maxCombined = 8;
const maxTried = 6;
/** An approximate count of different values may be wrong by this part. */
const tolerance = 0.85;

/**
 * Finds one or two columns that are unique on both sides and match rows of both: first columns with the name of the
 * table's own key, then other names of keys, then any. Undefined if there are none.
 */
export async function findSampledKey(
  table: ComparedTable,
  rows: readonly [before: number, after: number],
): Promise<readonly SharedColumn[] | undefined> {
  const usable = table.columns.filter(
    ({ name, before, after }) => canIdentify(before.type) && canIdentify(after.type) && !isResultName(name),
  );
  if (usable.length === 0) return undefined;
  const ranked = usable.map((column): Candidate => ({
    columns: [column],
    rank: rankOf(column.name, table.name),
  }));
  const singles = await seemUnique(ranked, table, rows);
  const key = await firstUnique(singles, table);
  if (key !== undefined && rankOf(key[0]?.name ?? '', table.name) < otherRank) return key;
  const parts = ranked.toSorted((a, b) => a.rank - b.rank).slice(0, maxCombined);
  const pairs = parts.flatMap(({ columns, rank }, index) =>
    parts.slice(index + 1).map((other): Candidate => ({
      columns: [...columns, ...other.columns],
      rank: Math.max(rank, other.rank),
    })),
  );
  // One column may be unique by chance: two that are named like a key are better.
  const better = key === undefined ? pairs : pairs.filter(({ rank }) => rank < otherRank);
  return (await firstUnique(await seemUnique(better, table, rows), table)) ?? key;
}

const otherRank = 2;

function rankOf(name: string, table: string): number {
  if (isOwnKey(name, table)) return 0;
  return isKeyName(name) ? 1 : otherRank;
}

/** The candidates with about as many different values as rows, on both sides. */
async function seemUnique(
  candidates: readonly Candidate[],
  table: ComparedTable,
  rows: readonly [before: number, after: number],
): Promise<readonly Candidate[]> {
  if (candidates.length === 0) return [];
  const counts = async (side: 0 | 1) => {
    const values = candidates.map(
      ({ columns }) => `approx_count_distinct(hash(${columns.map(({ sql }) => sql[side]).join(', ')}))`,
    );
    return onlyRow(`SELECT ${values.join(', ')} FROM ${table.from[side]}`, table.warehouse);
  };
  const [before, after] = [await counts(0), await counts(1)];
  return candidates.filter(
    (_, index) =>
      Number(before[index] ?? 0) >= rows[0] * tolerance && Number(after[index] ?? 0) >= rows[1] * tolerance,
  );
}

async function firstUnique(
  candidates: readonly Candidate[],
  table: ComparedTable,
): Promise<readonly SharedColumn[] | undefined> {
  const ordered = candidates.toSorted((a, b) => a.rank - b.rank || a.columns.length - b.columns.length);
  for (const { columns } of ordered.slice(0, maxTried)) {
    const [before, after] = await repeatedRows(table, columns);
    if (before + after === 0 && (await findsRows(table, columns))) return columns;
  }
  return undefined;
}

/** Whether a row of one side is on the other. */
async function findsRows(table: ComparedTable, columns: readonly SharedColumn[]): Promise<boolean> {
  const [found] = await onlyRow(
    `SELECT 1 FROM (${valuesSql(table, 0, columns)}) AS b SEMI JOIN (${valuesSql(table, 1, columns)}) AS a ON ${sameKeySql(columns.length)} LIMIT 1`,
    table.warehouse,
  );
  return found !== undefined;
}
