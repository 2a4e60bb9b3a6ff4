import {
  expectReadable,
  Refusal,
  SqlError,
  type SqlType,
  type Table,
  type Value,
  type Warehouse,
} from '../../../engine/index.ts';
import { countRows, readRows, unreadable } from '../compare/compare-table.ts';
import { ranComponents } from '../compare/ran-components.ts';
import type { WrittenTable } from './row-trials.ts';
import { labelOf } from './table-label.ts';
import type { TestRun } from '../compare/test-run.ts';
import { writes } from '../compare/writers-of.ts';
import { yamlQuoted, yamlRow, yamlText, yamlValue } from '../files/yaml-text.ts';

/** More rows do not help a reader: then only their number is recorded, or they are in a file of their own. */
const maxRows = 20;

/** A file with more values is not written. */
const maxFileValues = 50_000;

/** What has other values in each run. */
export interface DifferingParts {
  /** As a test names them. */
  readonly tables: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
}

const nothing: DifferingParts = { tables: new Set(), variables: new Set() };

export interface RecordOptions {
  readonly without?: DifferingParts | undefined;
  /** What to record too, though the run did not write it, or left a variable as it was. A table that does not exist is recorded as absent. */
  readonly also?: DifferingParts | undefined;
  /** Writes the rows of a table with too many rows for a reader, and gives the path of their file, from the test file; undefined: only count them. */
  readonly fileOf?: (label: string, table: Table, rows: readonly (readonly Value[])[]) => string | undefined;
}

/** What a run left, as the lines of `expect` at their indentation. */
export async function recordExpectations(
  run: TestRun,
  { without = nothing, also = nothing, fileOf }: RecordOptions = {},
): Promise<string> {
  const tables: string[] = [];
  const label = (table: Table) => labelOf(table, run.project);
  const all = await listTables(run.warehouse);
  for (const table of all.filter((each) => isWritten(each, run) || also.tables.has(label(each))))
    if (!without.tables.has(label(table))) tables.push(...(await tableLines(table, run, fileOf)));
  const existing = new Set(all.map(label));
  for (const name of also.tables) if (!existing.has(name)) tables.push(`${yamlText(name)}: absent`);
  const lines = [
    ...outcomeLines(run),
    ...(tables.length === 0 ? [] : ['tables:', ...tables.map((line) => `  ${line}`)]),
    ...variableLines(run, without.variables, also.variables),
  ];
  const ran = run.planned.document.kind === 'orchestration' || lines.length === 0 ? ranLines(run) : [];
  return [...lines, ...ran].map((line) => `      ${line}\n`).join('');
}

/** The tables that a run wrote. */
export async function writtenTables(run: TestRun): Promise<readonly WrittenTable[]> {
  const tables: WrittenTable[] = [];
  for (const table of await listWritten(run)) {
    const { rows } = await run.warehouse.query(`SELECT 1 FROM ${table.sql} LIMIT 1`, { maxRows: 1 });
    const writers = run.state.steps.filter((step) => writes(step, table));
    tables.push({
      name: labelOf(table, run.project),
      isEmpty: rows.length === 0,
      isUnchanged: writers.every(({ rowsWritten }) => rowsWritten === 0),
    });
  }
  return tables;
}

async function listWritten(run: TestRun): Promise<readonly Table[]> {
  const tables = await listTables(run.warehouse);
  return tables.filter((table) => isWritten(table, run));
}

function isWritten(table: Table, { state }: TestRun): boolean {
  return state.steps.some((step) => writes(step, table));
}

/** All tables and views, in the order of their names. */
async function listTables(warehouse: Warehouse): Promise<readonly Table[]> {
  await warehouse.refresh();
  const sql =
    'SELECT DISTINCT schema_name FROM duckdb_columns() WHERE NOT internal AND database_name = current_database() ORDER BY 1';
  const { rows } = await warehouse.query(sql, { maxRows: 1000 });
  return rows.flatMap(([name]) => {
    const [database = '', schema = ''] = (typeof name === 'string' ? name : '')
      .split('.')
      .map((part) => part.replaceAll('%2E', '.').replaceAll('%25', '%'));
    return warehouse.catalog.list(database, schema);
  });
}

async function tableLines(
  table: Table,
  run: TestRun,
  fileOf: RecordOptions['fileOf'],
): Promise<readonly string[]> {
  const { warehouse, project } = run;
  const label = labelOf(table, project);
  const name = yamlText(label);
  const { rows, isCut } = await readFirst(table, warehouse).catch((error: unknown) => {
    const isOfView = error instanceof SqlError || error instanceof Refusal;
    throw isOfView ? new SqlError(unreadable(table, error)) : error;
  });
  if (isCut) {
    const count = await countRows(table, run);
    const isSmall = fileOf !== undefined && count * table.columns.length <= maxFileValues;
    const file = isSmall ? fileOf(label, table, (await readRows(table, table.columns, run)).rows) : undefined;
    return [`${name}: { ${file === undefined ? '' : `file: ${yamlText(file)}, `}count: ${count} }`];
  }
  if (rows.length === 0) return [`${name}: { rows: [] } # no example row reaches this table`];
  return [`${name}:`, '  rows:', ...rows.map((row) => `    - ${rowText(row, table)}`)];
}

async function readFirst(table: Table, warehouse: Warehouse): ReturnType<Warehouse['query']> {
  expectReadable(table, warehouse.catalog, `"${table.table}"`, undefined);
  return await warehouse.query(`SELECT * FROM ${table.sql}`, { maxRows, tellsJsonNull: true });
}

function rowText(row: readonly Value[], { columns }: Table): string {
  return yamlRow(
    columns.map(({ name, type }, index) => [name, yamlValue(row[index] ?? null, type)] as const),
  );
}

function outcomeLines({ state, planned, project }: TestRun): readonly string[] {
  if (state.status === 'SUCCESS') return [];
  const { failed } = state;
  if (failed === undefined) return ['outcome: { failure: {} }'];
  const isOwn = failed.pipeline === planned.document.path;
  const component = isOwn ? failed.component : `${failed.pipeline}#${failed.component}`;
  const [first = ''] = failed.message.split('\n');
  // The next edit of the pipeline moves the place.
  const line = first.replace(/^\S+:\d+:\d+: /, '');
  const hasComponent = project.pipeline(failed.pipeline)?.components.has(failed.component) === true;
  const parts = [
    ...(hasComponent ? [`component: ${yamlText(component)}`] : []),
    ...(line === '' ? [] : [`message: ${yamlText(line)}`]),
  ];
  return [`outcome: { failure: { ${parts.join(', ')} } }`];
}

/** Scalar variables that the run changed, and the ones to record too. */
function variableLines(
  { planned: { document, test }, variables }: TestRun,
  without: ReadonlySet<string>,
  also: ReadonlySet<string>,
): readonly string[] {
  const givenValues = new Map(test.variables.map(({ name, value }) => [name.text, value]));
  const number: SqlType = { name: 'NUMBER', precision: 38, scale: 0 };
  const text: SqlType = { name: 'VARCHAR', length: undefined };
  const changed = [...variables].flatMap(([name, { type, value }]) => {
    const declared = document.variables.get(name);
    if (without.has(name)) return [];
    if (typeof value !== 'string') return also.has(name) ? [`${yamlText(name)}: ${gridText(value)}`] : [];
    if (!also.has(name)) {
      if (declared === undefined) return [];
      if (value === (givenValues.get(name) ?? declared.defaultValue ?? '')) return [];
    }
    const isNumber = type === 'NUMBER' && value !== '';
    return [`${yamlText(name)}: ${value === '' ? "''" : yamlValue(value, isNumber ? number : text)}`];
  });
  return changed.length === 0 ? [] : [`variables: { ${changed.join(', ')} }`];
}

function gridText(grid: readonly (readonly string[])[]): string {
  return `[${grid.map((row) => `[${row.map(yamlQuoted).join(', ')}]`).join(', ')}]`;
}

function ranLines({ planned: { document }, state }: TestRun): readonly string[] {
  const ran = ranComponents(document.path, state);
  const names = [...document.components.keys()];
  const list = (components: readonly string[]) => `[${components.map(yamlText).join(', ')}]`;
  const others = names.filter((name) => !ran.has(name));
  return [
    `ran: ${list(names.filter((name) => ran.has(name)))}`,
    ...(others.length === 0 ? [] : [`not-ran: ${list(others)}`]),
  ];
}
