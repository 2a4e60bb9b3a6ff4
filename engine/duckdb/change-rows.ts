import type { DuckDBConnection } from '@duckdb/node-api';
import { SqlError } from '../core/refusal.ts';
import type { Column } from '../core/relation.ts';
import { columnDefinition, declareTypes, duckdbType } from './catalog/column-types.ts';
import { quoteName } from './catalog/physical-name.ts';
import { replaceTableSql } from './catalog/replace-table.ts';
import type { CompletedRows, RowChanges } from './connection/warehouse.ts';
import { addWholeRows, type Filling, type StagedValue, stageRows, stagingSql } from './fill-table.ts';

/** The table whose rows change. */
type Place = Omit<Filling, 'columns'>;

/** The rows of one staged list: `completed0`, `completed1`, … */
const completedName = (index: number) => `millrace_completed${index}`;
const REMOVED = 'millrace_removed';
const ORIGINS = 'millrace_origins';

/** Removes rows from a table, and adds rows to it, as described by `RowChanges`. Call it inside a transaction. */
export async function changeRows(
  connection: DuckDBConnection,
  place: Place,
  { columns, key, removed, added, completed = [] }: RowChanges,
): Promise<void> {
  const keyColumns = key.map((name) => columnOf(columns, name, place.table));
  for (const [index, rows] of completed.entries())
    await completeRows(connection, { ...place, columns, keyColumns, name: completedName(index) }, rows);
  if (removed.length > 0) {
    const identifying = key.length === 0 ? columns : keyColumns;
    const staged = await stageRows(connection, { ...place, name: REMOVED, columns: identifying }, removed);
    const removal =
      key.length === 0 ? removeEqualRows(place, columns, staged) : removeByKey(place, keyColumns, staged);
    await connection.run(`${removal}; DROP TABLE ${stagingSql(REMOVED)}`);
  }
  for (const index of completed.keys()) {
    const rows = stagingSql(completedName(index));
    await connection.run(`INSERT INTO ${place.table} SELECT * FROM ${rows}; DROP TABLE ${rows}`);
  }
  if (added.length > 0) await addWholeRows(connection, { ...place, columns }, added);
}

/**
 * Changes the columns of a table. A column that keeps its name and type keeps its values. A new column contains NULL.
 * Call it inside a transaction.
 */
export async function reshapeTable(
  connection: DuckDBConnection,
  { table, kind }: Omit<Place, 'duckdb'>,
  { from, to }: { readonly from: readonly Column[]; readonly to: readonly Column[] },
): Promise<void> {
  const existing = new Set(from.map(({ name }) => name));
  const values = to.map(({ name, type }) =>
    existing.has(name) ? quoteName(name) : `CAST(NULL AS ${duckdbType(type)}) AS ${quoteName(name)}`,
  );
  const definitions = to.map((column) => columnDefinition(column, kind));
  const limits = { definitions, afterwards: declareTypes(table, to) };
  await connection.run(
    replaceTableSql(table, `SELECT ${values.join(', ')} FROM ${table}`, limits).join('; '),
  );
}

function columnOf(columns: readonly Column[], name: string, table: string): Column {
  const column = columns.find((candidate) => candidate.name === name);
  if (column === undefined) throw new SqlError(`the table ${table} has no column "${name}"`);
  return column;
}

interface Completion extends Filling {
  readonly keyColumns: readonly Column[];
  /** The temporary table that has the complete rows afterwards. */
  readonly name: string;
}

/** Puts rows into a temporary table, with the values that they keep from the existing rows. */
async function completeRows(
  connection: DuckDBConnection,
  { table, columns, keyColumns, kind, duckdb, name }: Completion,
  { kept, rows }: CompletedRows,
): Promise<void> {
  const keptPlaces = new Set(kept);
  const staged = [
    ...columns,
    ...keyColumns.map((column) => ({ ...column, name: `origin of ${column.name}` })),
  ];
  const cells = rows.map(({ origin, values }) => [
    ...values.map((value, place) => (keptPlaces.has(place) ? null : value)),
    ...origin,
  ]);
  const value = await stageRows(connection, { name: ORIGINS, columns: staged, kind, duckdb }, cells);
  const values = columns.map(({ name: column }, place) =>
    keptPlaces.has(place)
      ? `existing.${quoteName(column)}`
      : `${value(place, 'staged')} AS ${quoteName(column)}`,
  );
  const isOrigin = keyColumns.map(
    ({ name: column }, index) => `existing.${quoteName(column)} = ${value(columns.length + index, 'staged')}`,
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${name} AS SELECT ${values.join(', ')} FROM ${stagingSql(ORIGINS)} staged
     JOIN ${table} existing ON ${isOrigin.join(' AND ')}; DROP TABLE ${stagingSql(ORIGINS)}`,
  );
  const count = Number(
    (await connection.runAndReadAll(`SELECT count(*) FROM ${stagingSql(name)}`)).value(0, 0),
  );
  if (count === rows.length) return;
  throw new SqlError(
    `${rows.length - count} of ${rows.length} rows could not be found in the table ${table}, although the change takes unchanged values from them`,
  );
}

function removeByKey({ table }: Place, key: readonly Column[], staged: StagedValue): string {
  const values = key.map((_, index) => `${staged(index)} AS k${index}`);
  const isSame = key.map(({ name }, index) => `existing.${quoteName(name)} = removed.k${index}`);
  return `DELETE FROM ${table} AS existing USING (SELECT ${values.join(', ')} FROM ${stagingSql(REMOVED)}) removed
    WHERE ${isSame.join(' AND ')}`;
}

/** Of rows that are equal, as many are removed as there are in the list. */
function removeEqualRows({ table }: Place, columns: readonly Column[], staged: StagedValue): string {
  const values = columns.map((_, index) => `${staged(index)} AS k${index}`);
  const places = columns.map((_, index) => `k${index}`);
  const isSame = columns.map(
    ({ name }, index) => `existing.${quoteName(name)} IS NOT DISTINCT FROM removed.k${index}`,
  );
  return `DELETE FROM ${table} WHERE rowid IN (
    SELECT place FROM (
      SELECT existing.rowid AS place, removed.copies,
        row_number() OVER (PARTITION BY ${places.map((place) => `removed.${place}`).join(', ')} ORDER BY existing.rowid) AS copy
      FROM ${table} existing JOIN (
        SELECT ${places.join(', ')}, count(*) AS copies
        FROM (SELECT ${values.join(', ')} FROM ${stagingSql(REMOVED)}) GROUP BY ALL
      ) removed ON ${isSame.join(' AND ')}
    ) WHERE copy <= copies)`;
}
