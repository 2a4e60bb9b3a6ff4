import {
  type Column,
  describeType,
  type KnownTable,
  type Place,
  type TableName,
  type TableRead,
} from '../../../engine/index.ts';
import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import { tableKey } from '../bind/project-tables.ts';
import { type Definition } from '../bind/table-definitions.ts';
import { isAsAtBase } from '../texts/component-texts.ts';
import { allUnreadParts } from '../texts/unread-parts.ts';

/** A component that writes or reads a table. */
export interface UsedAt extends Pick<Place, 'file' | 'line'> {
  readonly pipeline: string;
}

/** A component that reads a changed column. `all`: it reads all columns; `unknown`: it names the table, and not everything is known of it. */
export interface ColumnReader extends UsedAt {
  readonly reads: 'column' | 'all' | 'unknown';
}

/** A column of a table that pipelines create, and that is not as it was. */
export interface ChangedColumn {
  readonly table: TableName;
  /** The old name; undefined if no pipeline creates the table any more. */
  readonly column: string | undefined;
  /** `renamed`: a new column of the same type is in its place, and all others are as they were. */
  readonly change: 'removed' | 'renamed' | 'retyped' | 'added' | 'dropped';
  /** The type before, of `removed` and `retyped`. */
  readonly before: string | undefined;
  /** The type now, of `added` and `retyped`; the new name, of `renamed`. */
  readonly after: string | undefined;
  /** What creates or alters the table: now, and before if nothing does any more. */
  readonly writers: readonly UsedAt[];
  readonly readers: readonly ColumnReader[];
}

/** A table whose definition changed, and whose columns are not all known. */
export interface UnknownColumns {
  readonly table: TableName;
  readonly writers: readonly UsedAt[];
}

/** The columns that a change removes, renames, adds or gives another type, with the components that read them. */
export function changedColumns(
  graph: DataGraph,
  base: DataGraph,
): { readonly columns: readonly ChangedColumn[]; readonly unknown: readonly UnknownColumns[] } {
  const columns: ChangedColumn[] = [];
  const unknown: UnknownColumns[] = [];
  const readersOf = columnReaders(graph, base);
  for (const table of definedTables(graph, base)) {
    const [definitions, before] = [graph, base].map(({ tables }) => tables.definitionsOf(table)) as [
      readonly Definition[],
      readonly Definition[],
    ];
    if (contentOf(definitions) === contentOf(before)) continue;
    const writers = placesOf(definitions.length > 0 ? definitions : before);
    const [now, old] = [graph.tables.find(table), base.tables.find(table)];
    if (base.tables.isOutside(table)) continue;
    if (graph.tables.isOutside(table)) {
      if (graph.tables.isMentioned(table)) unknown.push({ table, writers });
      else
        columns.push({
          table,
          column: undefined,
          change: 'dropped',
          before: undefined,
          after: undefined,
          writers,
          readers: readersOf(table, undefined),
        });
    } else if (now?.areNamesComplete !== true || old?.areNamesComplete !== true)
      unknown.push({ table, writers });
    else
      for (const change of differences(now, old))
        columns.push({ table, ...change, writers, readers: readersOf(table, change.column) });
  }
  return { columns, unknown };
}

/** A table that a pipeline creates now, and that no pipeline created before. */
export interface CreatedTable {
  readonly table: TableName;
  /** Undefined if not all columns are known. */
  readonly columns: readonly { readonly name: string; readonly type: string }[] | undefined;
  readonly writers: readonly UsedAt[];
  readonly readers: readonly ColumnReader[];
}

/** The tables that a change adds, with the components that read them. */
export function createdTables(graph: DataGraph, base: DataGraph): readonly CreatedTable[] {
  const readersOf = columnReaders(graph, base);
  return definedTables(graph).flatMap((table): readonly CreatedTable[] => {
    const isCreated = base.tables.isOutside(table) && !graph.tables.isOutside(table);
    // Code that names the table may have created it before.
    if (!isCreated || base.tables.isMentioned(table)) return [];
    const known = graph.tables.find(table);
    const isKnown = known?.areNamesComplete === true && known.areTypesKnown;
    return [
      {
        table,
        columns: isKnown
          ? known.columns.map(({ name, type }) => ({ name, type: describeType(type) }))
          : undefined,
        writers: placesOf(graph.tables.definitionsOf(table)),
        readers: readersOf(table, undefined),
      },
    ];
  });
}

/** All tables that a pipeline of these projects defines, in the order of their names. */
function definedTables(...graphs: readonly DataGraph[]): readonly TableName[] {
  const tables = new Map<string, TableName>();
  for (const { pipelines } of graphs)
    for (const { writes } of pipelines.values())
      for (const { table, mode } of writes)
        if (mode === 'define' || mode === 'alter') tables.set(tableKey(table), table);
  return [...tables].toSorted(([a], [b]) => compareTexts(a, b)).map(([, table]) => table);
}

function contentOf(definitions: readonly Definition[]): string {
  return JSON.stringify(
    definitions.map(({ pipeline, component, mode, columns }) => [pipeline, component, mode, columns]),
  );
}

function placesOf(definitions: readonly Definition[]): readonly UsedAt[] {
  return definitions.map(({ pipeline, place: { file, line } }) => ({ pipeline, file, line }));
}

type Difference = Pick<ChangedColumn, 'change' | 'before' | 'after'> & { readonly column: string };

function differences(now: KnownTable, old: KnownTable): readonly Difference[] {
  const renamed = renamedColumn(now.columns, old.columns);
  if (renamed !== undefined) return [renamed];
  const [types, oldTypes] = [now, old].map(
    ({ columns }) => new Map(columns.map(({ name, type }) => [name, describeType(type)])),
  ) as [Map<string, string>, Map<string, string>];
  const areTypesKnown = now.areTypesKnown && old.areTypesKnown;
  const lost = [...oldTypes].flatMap(([column, before]): Difference[] => {
    const after = types.get(column);
    if (after === undefined) return [{ column, change: 'removed', before, after }];
    return after === before || !areTypesKnown ? [] : [{ column, change: 'retyped', before, after }];
  });
  const added = [...types].filter(([column]) => !oldTypes.has(column));
  return [
    ...lost,
    ...added.map(([column, after]) => ({ column, change: 'added' as const, before: undefined, after })),
  ];
}

/** The one column that has another name, if nothing else differs. */
function renamedColumn(now: readonly Column[], old: readonly Column[]): Difference | undefined {
  if (now.length !== old.length) return undefined;
  const pairs = old.map((before, index) => ({ before, after: now[index] ?? before }));
  if (pairs.some(({ before, after }) => describeType(before.type) !== describeType(after.type)))
    return undefined;
  const [pair, ...more] = pairs.filter(({ before, after }) => before.name !== after.name);
  if (pair === undefined || more.length > 0) return undefined;
  return { column: pair.before.name, change: 'renamed', before: undefined, after: pair.after.name };
}

/** Gives the components that read a column of a table; without a column, those that read the table. */
function columnReaders(
  graph: DataGraph,
  base: DataGraph,
): (table: TableName, column: string | undefined) => readonly ColumnReader[] {
  const reads = [...graph.pipelines].flatMap(([pipeline, bound]) =>
    bound.reads.map((read) => ({ pipeline, read })),
  );
  const byTable = Map.groupBy(reads, ({ read }) => tableKey(read.table));
  const parts = allUnreadParts(graph);
  return (table, column) => {
    const readers = new Map<string, ColumnReader>();
    const add = (
      pipeline: string,
      { file, line }: Pick<Place, 'file' | 'line'>,
      kind: ColumnReader['reads'],
    ) => {
      const key = JSON.stringify([file, line]);
      if (!readers.has(key)) readers.set(key, { pipeline, file, line, reads: kind });
    };
    for (const { pipeline, read } of byTable.get(tableKey(table)) ?? []) {
      const kind =
        column === undefined
          ? 'column'
          : kindOfRead(read, column, readBefore(pipeline, read, base), () =>
              isAsAtBase(pipeline, read.component, graph, base),
            );
      if (kind !== undefined) add(pipeline, read.place, kind);
    }
    for (const { pipeline, file, line, component, words } of parts) {
      const isKnown = (byTable.get(tableKey(table)) ?? []).some(
        (each) => each.pipeline === pipeline && each.read.component === component,
      );
      if (!isKnown && (words.get(table.table.toLowerCase()) ?? 0) > 0)
        add(pipeline, { file, line }, 'unknown');
    }
    return [...readers.values()].toSorted((a, b) => compareTexts(a.file, b.file) || a.line - b.line);
  };
}

/** The same component at the base, if it could be bound there. */
function readBefore(
  pipeline: string,
  { component, table }: TableRead,
  base: DataGraph,
): TableRead | undefined {
  return base.pipelines
    .get(pipeline)
    ?.reads.find(
      (each) => each.isBound && each.component === component && tableKey(each.table) === tableKey(table),
    );
}

/** A component that cannot be bound any more, or that is as it was, reads what it read before. */
function kindOfRead(
  read: TableRead,
  column: string,
  before: TableRead | undefined,
  isSame: () => boolean,
): ColumnReader['reads'] | undefined {
  if (read.columns.includes(column)) return 'column';
  const wasRead = before?.columns.includes(column) === true;
  if (wasRead && (!read.isBound || isSame())) return 'column';
  if (read.readsAll || (!read.isBound && before?.readsAll === true)) return 'all';
  return read.isBound || before !== undefined ? undefined : 'unknown';
}
