import {
  type Column,
  Refusal,
  SqlError,
  type Table,
  type TableName,
  type Warehouse,
  type WrittenRows,
} from '../../../engine/index.ts';
import { closestWord } from '../../../lib/core/text/closest-word.ts';
import { didYouMean, lookOf, onlyLooksLike } from '../../../lib/core/text/look-alike.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { columnOf, compareRows, countRows, readRows, type Rows, unreadable } from './compare-table.ts';
import type { RowMatch } from './match-rows.ts';
import { similarColumns } from './given-names.ts';
import type { TestRun } from './test-run.ts';
import { tableNamed } from '../outside/table-named.ts';
import type { ExpectedTable } from '../files/test-file.ts';
import type { Difference, Shown } from './test-result.ts';
import { visibleText } from '../../../lib/core/text/visible-text.ts';
import { shownCell, shownValue } from './shown-value.ts';
import { writersOf } from './writers-of.ts';

/** Finds the false expectations about one table. */
export async function checkTable(expected: ExpectedTable, run: TestRun): Promise<readonly Difference[]> {
  const { project, warehouse } = run;
  const { text, place } = expected.name;
  const name = tableNamed(text, place, project);
  await warehouse.refresh();
  const table = warehouse.catalog.find(name);
  if (expected.isAbsent) {
    const present = table ?? alikeTable(name, warehouse.catalog);
    if (present === undefined) return [];
    const message =
      table === undefined
        ? `the table "${visibleText(text)}" was expected to be absent, but ${existing(name.table, present.table)}; write the name as the table has it`
        : `the table "${text}" exists; it was expected to be absent`;
    return [{ kind: 'present-table', table: text, ...place, ...writersOf(present, run), message }];
  }
  if (table === undefined) {
    const similar = alikeTable(name, warehouse.catalog);
    const hint =
      similar === undefined
        ? closeTable(name, warehouse.catalog)
        : `; ${existing(name.table, similar.table)}`;
    return [
      {
        kind: 'missing-table',
        table: text,
        ...place,
        message: `the table "${visibleText(text)}" does not exist${hint}`,
      },
    ];
  }
  try {
    return await checkContent(expected, table, run);
  } catch (error) {
    if (error instanceof Refusal)
      return [{ kind: 'refused', table: text, ...place, ...writersOf(table, run), message: error.message }];
    if (!(error instanceof SqlError)) throw error;
    const message = unreadable(table, error);
    return [{ kind: 'missing-table', table: text, ...place, ...writersOf(table, run), message }];
  }
}

async function checkContent(
  expected: ExpectedTable,
  table: Table,
  run: TestRun,
): Promise<readonly Difference[]> {
  const rows = expected.rows === undefined ? undefined : await checkRows(expected, expected.rows, table, run);
  if (expected.count === undefined) return rows?.differences ?? [];
  const count = rows?.count ?? (await countRows(table, run));
  return [...(rows?.differences ?? []), ...checkCount(expected, { table, count }, run)];
}

/** A table with a similar name in the same schema, or the tables of the schema. */
function closeTable({ database, schema, table }: TableName, catalog: Warehouse['catalog']): string {
  const names = catalog.list(database, schema).map((listed) => listed.table);
  const meant = closestWord(table, names);
  return meant === undefined ? '' : `; ${didYouMean(table, meant)}`;
}

/** A table whose name differs in upper and lower case only, or in nothing that can be seen. */
function alikeTable(name: TableName, catalog: Warehouse['catalog']): Table | undefined {
  return (
    catalog.findIgnoringCase(name) ??
    catalog.list(name.database, name.schema).find(({ table }) => lookOf(table) === lookOf(name.table)) ??
    tableOfQuoted(name, catalog)
  );
}

/** The table of a name that has the quotation marks of SQL in it. */
function tableOfQuoted(
  { database, schema, table }: TableName,
  catalog: Warehouse['catalog'],
): Table | undefined {
  return unquoted(table) === table
    ? undefined
    : alikeTable({ database: unquoted(database), schema: unquoted(schema), table: unquoted(table) }, catalog);
}

function unquoted(name: string): string {
  return /^"(.+)"$/s.exec(name)?.[1] ?? name;
}

function existing(expected: string, present: string): string {
  if (expected !== present && unquoted(expected) === present)
    return `there is "${visibleText(present)}", without quotation marks in its name`;
  return onlyLooksLike(expected, present)
    ? didYouMean(expected, present)
    : `there is "${visibleText(present)}": upper and lower case differ`;
}

interface Counted {
  readonly table: Table;
  readonly count: number;
}

function checkCount(
  { name, count: expectedCount }: ExpectedTable,
  { table, count }: Counted,
  run: TestRun,
): readonly Difference[] {
  if (expectedCount === undefined || expectedCount.value === count) return [];
  const message = `the table "${name.text}" has ${numberOf(count, 'row')}, not ${expectedCount.value}`;
  return [
    {
      kind: 'count',
      table: name.text,
      ...expectedCount.place,
      ...writersOf(table, run),
      expected: expectedCount.value,
      actual: count,
      message,
    },
  ];
}

async function checkRows(
  expected: ExpectedTable,
  written: WrittenRows,
  table: Table,
  run: TestRun,
): Promise<{ readonly differences: readonly Difference[]; readonly count?: number }> {
  // Without rows, the columns of the table show what was not expected.
  const names = written.rows.length === 0 ? table.columns.map(({ name }) => name) : written.columns;
  const named = names.map((name) => ({ name, column: columnOf(table, name, run) }));
  const missing = named.filter(({ column }) => column === undefined).map(({ name }) => name);
  if (missing.length > 0)
    return { differences: missing.map((name) => missingColumn(expected, written, { name, table }, run)) };
  const columns = named.flatMap(({ column }) => column ?? []);
  const { rows: actual, count } = await readRows(table, columns, run);
  const compared = { expected, written: { ...written, columns: names }, columns, actual, table, count };
  const match = compareRows(expected, compared.written, columns, actual);
  return { differences: rowDifferences({ ...compared, match }, run), count };
}

function missingColumn(
  { name: { text, place } }: ExpectedTable,
  { rows }: WrittenRows,
  { name, table }: { readonly name: string; readonly table: Table },
  run: TestRun,
): Difference {
  const similar = table.columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
  const names = table.columns.map((column) => `"${visibleText(column.name)}"`).join(', ');
  const meant = closestWord(
    name,
    table.columns.map((column) => column.name),
  );
  const others = meant === undefined ? `it has ${names}` : didYouMean(name, meant);
  const hint =
    similar === undefined ? others : `it has "${visibleText(similar.name)}": upper and lower case differ`;
  const at = rows.find((row) => row.cells.has(name))?.placeOf(name) ?? place;
  const message = `the table "${text}" has no column "${visibleText(name)}"; ${hint}`;
  return { kind: 'missing-column', table: text, ...at, ...writersOf(table, run), message };
}

interface Compared extends Counted {
  readonly expected: ExpectedTable;
  readonly written: WrittenRows;
  readonly columns: readonly Column[];
  readonly actual: Rows;
  readonly match: RowMatch;
}

function rowDifferences(
  { expected, written, columns, actual, match, table, count }: Compared,
  run: TestRun,
): readonly Difference[] {
  const common = { table: expected.name.text, ...writersOf(table, run) };
  const cut = count > actual.length ? `; of its ${count} rows, the first ${actual.length} were compared` : '';
  const note = `${cut}${similarColumns(run)}`;
  const expectedRow = (index: number): Shown =>
    Object.fromEntries(
      written.columns.map((name, place) => [
        name,
        shownCell(written.rows[index]?.cells.get(name), columns[place]?.type),
      ]),
    );
  const actualRow = (index: number): Shown =>
    Object.fromEntries(
      written.columns.map((name, place) => [
        name,
        shownValue(actual[index]?.[place] ?? null, columns[place]?.type),
      ]),
    );
  const placeOf = (index: number) => written.rows[index]?.place ?? expected.name.place;
  const of = `of the table "${expected.name.text}"`;
  return [
    ...match.changed.map((pair): Difference => ({
      kind: 'changed-row',
      ...common,
      ...placeOf(pair.expected),
      expected: expectedRow(pair.expected),
      actual: actualRow(pair.actual),
      columns: pair.columns.map((place) => written.columns[place] ?? ''),
      message: `a row ${of} differs${note}`,
    })),
    ...match.missing.map((index): Difference => ({
      kind: 'missing-row',
      ...common,
      ...placeOf(index),
      expected: expectedRow(index),
      message: `an expected row is not in the table "${expected.name.text}"${note}`,
    })),
    ...match.extra.map((index): Difference => ({
      kind: 'extra-row',
      ...common,
      ...expected.name.place,
      actual: actualRow(index),
      message: `a row ${of} was not expected${note}`,
    })),
  ];
}
