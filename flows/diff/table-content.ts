import { type Column, SqlError, type Table, type TableName } from '../../engine/index.ts';
import { readRows, type Rows, unreadable } from '../test/compare-table.ts';
import type { TestProject } from '../test/test-project.ts';
import type { TestRun } from '../test/test-run.ts';
import { writersOf } from '../test/writers-of.ts';
import type { TableChange } from './data-diff.ts';

/** A table or view after a run. */
export interface TableContent {
  /** Without database and schema where they are the defaults of the environment. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[] | undefined;
  readonly rows: Rows;
  readonly count: number;
  /** Why the rows are not known. */
  readonly unknown?: string;
  readonly writer: Pick<TableChange, 'component' | 'at'>;
}

/** A warehouse after a run, or before it: then there is no state. */
type Left = Pick<TestRun, 'warehouse' | 'project'> & Partial<Pick<TestRun, 'state'>>;

/** All tables and views of a warehouse by their names. */
export async function readTables(left: Left): Promise<ReadonlyMap<string, TableContent>> {
  const { warehouse, project } = left;
  await warehouse.refresh();
  const tables = new Map<string, TableContent>();
  for (const table of warehouse.catalog.all()) {
    const name = shownName(table, project);
    tables.set(name, await readTable(table, name, left));
  }
  return tables;
}

async function readTable(
  table: Table,
  name: string,
  { warehouse, project, state }: Left,
): Promise<TableContent> {
  const { columns, primaryKey } = table;
  const writer = state === undefined ? {} : writersOf(table, { state, project });
  const common = { name, columns, primaryKey, writer };
  try {
    const { rows, count } = await readRows(table, columns, { warehouse });
    if (count === rows.length) return { ...common, rows, count };
    return { ...common, rows: [], count, unknown: `it has more than ${rows.length} rows` };
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    return { ...common, rows: [], count: 0, unknown: unreadable(table, error) };
  }
}

function shownName({ database, schema, table }: TableName, { defaults }: TestProject): string {
  if (database !== defaults.database) return `${database}.${schema}.${table}`;
  return schema === defaults.schema ? table : `${schema}.${table}`;
}
