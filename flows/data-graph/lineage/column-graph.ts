import type {
  BoundPipeline,
  ColumnLineage,
  ColumnName,
  TableName,
  TableRead,
  WriteLineage,
} from '../../../engine/index.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import { tableKey } from '../bind/table-definitions.ts';
import { streamedWrites } from './streamed-writes.ts';
import { allUnreadParts, type UnreadPart } from '../texts/unread-parts.ts';

/** A component that writes a table, and its pipeline. */
export interface ColumnWrite extends UnnamedWrite {
  readonly table: TableName;
}

/** A component that writes a table whose name may be unknown, and its pipeline. */
export interface UnnamedWrite extends WriteLineage {
  readonly pipeline: string;
}

/** A component that reads a table, and its pipeline. */
export interface ColumnRead extends TableRead {
  readonly pipeline: string;
}

/** Which columns the pipelines of a project read and write, and how the columns depend on each other. */
export interface ColumnGraph {
  readonly graph: DataGraph;
  /** All tables that a pipeline reads or writes, and those that tests declare, in the order of their names. */
  readonly tables: readonly TableName[];
  /** The columns of a table as far as they are known. */
  columnsOf(table: TableName): readonly string[];
  /** The components and streaming pipelines that write a table. */
  writesOf(table: TableName): readonly ColumnWrite[];
  /** The components that write a table whose name is not known. */
  readonly unnamed: readonly UnnamedWrite[];
  /** The components that read a table, and may use more of its columns than is known. */
  doubtfulReadsOf(table: TableName): readonly UnnamedWrite[];
  /** The components of a pipeline that write a table. */
  writesIn(pipeline: string): readonly ColumnWrite[];
  /** The components that write something that depends on a column. */
  writesFrom(column: ColumnName): readonly ColumnWrite[];
  /** The components that read a column by its name or with all others, or may read it. */
  readsOf(column: ColumnName): readonly ColumnRead[];
  /** What cannot be traced of the transformation or of the same component that reads a column. */
  unknownAfter(read: ColumnRead): readonly ColumnWrite[];
  /** The components that cannot be analysed completely and that may read or write a table, because they name it. */
  partsNaming(table: TableName, effect: 'read' | 'write'): readonly NamingPart[];
  /** The components that may write any table: they run SQL that is known only at run time. */
  readonly anyWriters: readonly NamingPart[];
  /** How many components write a table, and of how many of these all sources are known. */
  readonly counted: { readonly known: number; readonly total: number };
}

/** A component that cannot be analysed completely and that names a table, and its pipeline. */
export type NamingPart = Pick<UnreadPart, 'component' | 'file' | 'line'> & { readonly pipeline: string };

/** A column as a key for maps. */
export function columnKey({ table, column }: ColumnName): string {
  return JSON.stringify([table.database, table.schema, table.table, column]);
}

/**
 * Builds the graph of columns from a data graph.
 * @param graph a data graph that was bound with `traces`
 */
export function columnGraph(graph: DataGraph): ColumnGraph {
  const { pipelines, tables, tests, streamed } = graph;
  const all = withPipelines(pipelines, ({ lineage }) => lineage);
  const reads = withPipelines(pipelines, (bound) => bound.reads);
  const readsByTable = Map.groupBy(reads, ({ table }) => tableKey(table));
  const knownColumns = (table: TableName): readonly string[] => [
    ...(tables.find(table)?.columns.map(({ name }) => name) ?? []),
    ...(readsByTable.get(tableKey(table)) ?? []).flatMap(({ columns }) => columns),
  ];
  const writes: readonly ColumnWrite[] = [
    ...all.flatMap((write) => (write.table === undefined ? [] : [{ ...write, table: write.table }])),
    ...streamedWrites(streamed, (table) => [...new Set(knownColumns(table))]),
  ];
  const byTable = Map.groupBy(writes, ({ table }) => tableKey(table));
  const bySource = new Map<string, ColumnWrite[]>();
  for (const write of writes)
    for (const key of new Set(dependenciesOf(write).map(columnKey))) {
      const dependent = bySource.get(key) ?? [];
      bySource.set(key, dependent);
      dependent.push(write);
    }
  const writesByPipeline = Map.groupBy(writes, ({ pipeline }) => pipeline);

  const names = new Map<string, TableName>();
  const used = [
    ...[...pipelines.values()].flatMap((bound) =>
      [...bound.writes, ...bound.reads].map(({ table }) => table),
    ),
    ...[...tests.declared, ...tests.given, ...streamed].map(({ table }) => table),
  ];
  const parts = allUnreadParts(graph);
  const byRead = partsByWord(parts, ({ words }) =>
    [...words].flatMap(([word, count]) => (count > 0 ? word : [])),
  );
  const byWrite = partsByWord(parts, ({ written }) => written.flatMap(({ words }) => [...words]));
  const declared = graph.schemas.all.map(({ table }) => table);
  used.push(...declared.filter(({ table }) => byRead.has(table.toLowerCase())));
  for (const { database, schema, table } of used) {
    const name = { database, schema, table };
    names.set(tableKey(name), name);
  }
  const tableWords = new Set([...names.values()].map(({ table }) => table.toLowerCase()));
  const columnsOf = (table: TableName): readonly string[] => {
    const key = tableKey(table);
    const known = tables.find(table)?.columns.map(({ name }) => name) ?? [];
    const written = (byTable.get(key) ?? []).flatMap(({ columns }) => columns.map(({ name }) => name));
    const read = (readsByTable.get(key) ?? []).flatMap(({ columns }) => columns);
    return [...new Set([...known, ...written, ...read])];
  };
  return {
    graph,
    tables: [...names].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, name]) => name),
    columnsOf,
    partsNaming: (table, effect) =>
      (effect === 'read' ? byRead : byWrite).get(table.table.toLowerCase()) ?? [],
    anyWriters: parts.filter(({ written }) =>
      written.some(({ words, isAny }) => isAny && tableWords.isDisjointFrom(words)),
    ),
    counted: countOf(all),
    unnamed: all.filter(({ table }) => table === undefined),
    writesOf: (table) => byTable.get(tableKey(table)) ?? [],
    doubtfulReadsOf: (table) =>
      all.filter(
        (write) =>
          write.unknown.length > 0 && write.tables.some((each) => tableKey(each) === tableKey(table)),
      ),
    writesIn: (pipeline) => writesByPipeline.get(pipeline) ?? [],
    writesFrom: (column) => bySource.get(columnKey(column)) ?? [],
    readsOf: ({ table, column }) =>
      (readsByTable.get(tableKey(table)) ?? []).filter(
        ({ columns, readsAll, isBound }) => readsAll || !isBound || columns.includes(column),
      ),
    unknownAfter: ({ pipeline, component, isBound }) =>
      (writesByPipeline.get(pipeline) ?? []).filter(
        (write) =>
          write.unknown.length > 0 &&
          write.columns.length === 0 &&
          (isBound
            ? graph.project.pipeline(pipeline)?.kind === 'transformation'
            : write.component === component),
      ),
  };
}

function partsByWord(
  parts: ReturnType<typeof allUnreadParts>,
  wordsOf: (part: UnreadPart) => readonly string[],
): ReadonlyMap<string, readonly NamingPart[]> {
  const byWord = new Map<string, NamingPart[]>();
  for (const part of parts)
    for (const word of new Set(wordsOf(part))) {
      const list = byWord.get(word);
      if (list === undefined) byWord.set(word, [part]);
      else list.push(part);
    }
  return byWord;
}

function countOf(writes: readonly UnnamedWrite[]): ColumnGraph['counted'] {
  const byComponent = Map.groupBy(writes, ({ pipeline, component }) => JSON.stringify([pipeline, component]));
  const known = [...byComponent.values()].filter((list) => list.every(({ unknown }) => unknown.length === 0));
  return { known: known.length, total: byComponent.size };
}

/** All columns that a write depends on. */
export function dependenciesOf({ columns, rows }: WriteLineage): readonly ColumnName[] {
  return [...columns.flatMap(({ values, choices }) => [...values, ...choices]), ...rows];
}

/** Whether a column is among others. */
export function hasColumn(columns: readonly ColumnName[], column: ColumnName): boolean {
  const key = columnKey(column);
  return columns.some((each) => columnKey(each) === key);
}

/** The columns of a write that get values from a column. */
export function columnsFrom({ columns }: WriteLineage, source: ColumnName): readonly ColumnLineage[] {
  return columns.filter(({ values }) => hasColumn(values, source));
}

function withPipelines<Item>(
  pipelines: ReadonlyMap<string, BoundPipeline>,
  items: (bound: BoundPipeline) => readonly Item[],
): readonly (Item & { readonly pipeline: string })[] {
  return [...pipelines].flatMap(([pipeline, bound]) => items(bound).map((item) => ({ ...item, pipeline })));
}
