import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import {
  type Column,
  describeType,
  Refusal,
  SqlError,
  type Table,
  type TableName,
} from '../../engine/index.ts';
import { countRows, readRows, type Rows, unreadable } from '../pipeline-tests/compare/compare-table.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import type { TestRun } from '../pipeline-tests/compare/test-run.ts';
import { writes } from '../pipeline-tests/compare/writers-of.ts';
import type { TableChange } from './data-diff.ts';

/** A table or view after a run. */
export interface TableContent {
  /** Without database and schema if they are the defaults of the environment. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly isView: boolean;
  readonly primaryKey: readonly string[] | undefined;
  readonly rows: Rows;
  readonly count: number;
  /** Why the rows are not known. */
  readonly unknown?: string;
  /** For a table with too many rows: a digest that is the same for equal rows of the same columns, in any order. */
  readonly digest?: string;
  /** The component that wrote it last. */
  readonly writer: Pick<TableChange, 'component' | 'at'>;
  /** The number of the step that wrote it last; Infinity if no step did. */
  readonly lastWrite: number;
}

/** All rows of both sides are in memory, each value also as a text. */
const maxValues = 500_000;

/** A warehouse after a run, or, without a state, before it. */
type Left = Pick<TestRun, 'warehouse' | 'project'> & Partial<Pick<TestRun, 'state'>>;

/** Reads all tables and views of a warehouse, by name. A table that no step wrote is only read if it is accepted. */
export async function readTables(
  left: Left,
  acceptsUnwritten: (name: string) => boolean = () => true,
): Promise<ReadonlyMap<string, TableContent>> {
  const { warehouse, project } = left;
  await warehouse.refresh();
  const tables = new Map<string, TableContent>();
  for (const table of warehouse.catalog.all()) {
    const name = shownName(table, project);
    if (!acceptsUnwritten(name) && !Number.isFinite(writesOf(table, left).lastWrite)) continue;
    tables.set(name, await readTable(table, name, left));
  }
  return tables;
}

async function readTable(table: Table, name: string, left: Left): Promise<TableContent> {
  const { columns, primaryKey } = table;
  const isView = table.kind === 'view';
  const common = { name, columns, isView, primaryKey, ...writesOf(table, left) };
  try {
    const count = await countRows(table, left);
    const isReadable = count * columns.length <= maxValues;
    const { rows } = isReadable ? await readRows(table, columns, left) : { rows: [] };
    if (rows.length === count) return { ...common, rows, count };
    const digest = await digestOf(table, left);
    return { ...common, rows: [], count, digest, unknown: 'it has more than 100,000 rows or 500,000 values' };
  } catch (error) {
    if (!(error instanceof SqlError) && !(error instanceof Refusal)) throw error;
    return { ...common, rows: [], count: 0, unknown: unreadable(table, error) };
  }
}

/** The rows as one text. Columns count with their names and types, rows as often as they occur, and no order counts. */
async function digestOf({ columns, sql }: Table, { warehouse }: Left): Promise<string> {
  const sorted = columns.toSorted((a, b) => compareTexts(a.name, b.name));
  const list = sorted.map(({ name }) => `"${name.replaceAll('"', '""')}"`).join(', ');
  // The hash of a row combines the hashes of its cells bit by bit: hashed again, cells cannot change places between rows.
  const { rows } = await warehouse.query(
    `SELECT concat_ws(' ', count(*), sum(hash(hash(q))), bit_xor(hash(hash(q)))) FROM (SELECT ${list} FROM ${sql}) AS q`,
    { maxRows: 1 },
  );
  return JSON.stringify([sorted.map(({ name, type }) => [name, describeType(type)]), rows]);
}

function writesOf(table: Table, { state, project }: Left): Pick<TableContent, 'writer' | 'lastWrite'> {
  const last = state?.steps.findLast((step) => writes(step, table));
  if (last === undefined) return { writer: {}, lastWrite: Infinity };
  const { pipeline, component, number } = last;
  const range = project.pipeline(pipeline)?.components.get(component)?.range;
  const at = range === undefined ? undefined : { file: pipeline, line: range.line, column: range.column };
  return { writer: { component, ...(at === undefined ? {} : { at }) }, lastWrite: number };
}

function shownName({ database, schema, table }: TableName, { defaults }: TestProject): string {
  if (database !== defaults.database) return `${database}.${schema}.${table}`;
  return schema === defaults.schema ? table : `${schema}.${table}`;
}
