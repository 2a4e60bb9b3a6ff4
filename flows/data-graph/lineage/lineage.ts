import type { ColumnLineage, ColumnName, TableName } from '../../../engine/index.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import {
  type ColumnGraph,
  columnKey,
  type ColumnRead,
  columnsFrom,
  dependenciesOf,
  type ColumnWrite,
  hasColumn,
  type NamingPart,
} from './column-graph.ts';
import { nameText, type TableOrColumn } from './find-column.ts';
import { componentPlace, partPlace, placeOf } from './component-place.ts';
import { withoutFix } from '../compile/without-fix.ts';
import type {
  LineageColumn,
  LineageDecision,
  LineageLink,
  LineageRead,
  LineageReport,
  UnknownSource,
} from './lineage-report.ts';

export interface LineageDirections {
  readonly up: boolean;
  readonly down: boolean;
}

/**
 * Follows a column, or each column of a table, back to the tables from outside the project, and forward to the last
 * readers.
 */
export function traceLineage(
  columns: ColumnGraph,
  { table, column }: TableOrColumn,
  { up, down }: LineageDirections,
): LineageReport {
  const names = column === undefined ? columns.columnsOf(table) : [column];
  const starts = names.map((name): ColumnName => ({ table, column: name }));
  const sources = up ? reached(starts, (to) => sourcesOf(columns, to)) : starts;
  const targets = down ? reached(starts, (from) => targetsOf(columns, from)) : starts;
  const links = [
    ...(up ? sources.flatMap((to) => linksTo(columns, to)) : []),
    ...(down ? targets.flatMap((from) => linksFrom(columns, from)) : []),
  ];
  const decisions = [
    ...(up ? starts.flatMap((to) => decisionsAbout(columns, to)) : []),
    ...(down ? targets.flatMap((from) => decisionsBy(columns, from)) : []),
  ];
  const isAbove = new Set(sources.map(columnKey));
  return {
    table: plainTable(table),
    ...(column !== undefined && { column }),
    columns: [...sources, ...targets.filter((each) => !isAbove.has(columnKey(each)))].map((each) =>
      described(columns, each, up && isAbove.has(columnKey(each))),
    ),
    links: distinct(links),
    decisions: distinct(decisions),
    reads: distinct(down ? targets.flatMap((from) => readsOf(columns, from)) : []),
    unnamed: unnamedUses(columns),
    writes: columns.counted,
  };
}

/** Everything that steps lead to, with the start. A cycle ends. */
function reached(
  starts: readonly ColumnName[],
  step: (column: ColumnName) => readonly ColumnName[],
): readonly ColumnName[] {
  const seen = new Map(starts.map((start) => [columnKey(start), start]));
  // The loop also visits what it adds.
  for (const column of seen.values())
    for (const next of step(column)) if (!seen.has(columnKey(next))) seen.set(columnKey(next), next);
  return [...seen.values()];
}

/** The components that write a column, each with what it writes to it. */
function writersOf(
  columns: ColumnGraph,
  { table, column }: ColumnName,
): readonly [ColumnWrite, ColumnLineage][] {
  return columns.writesOf(table).flatMap((write): [ColumnWrite, ColumnLineage][] => {
    const lineage = write.columns.find(({ name }) => name === column);
    return lineage === undefined ? [] : [[write, lineage]];
  });
}

function sourcesOf(columns: ColumnGraph, to: ColumnName): readonly ColumnName[] {
  return writersOf(columns, to).flatMap(([, { values }]) => values.map(plain));
}

function targetsOf(columns: ColumnGraph, from: ColumnName): readonly ColumnName[] {
  return columns
    .writesFrom(from)
    .flatMap((write) => columnsFrom(write, from).map(({ name }) => ({ table: write.table, column: name })));
}

function linksTo(columns: ColumnGraph, to: ColumnName): readonly LineageLink[] {
  return writersOf(columns, to).flatMap(([write, lineage]) => {
    const { values } = lineage;
    if (values.length === 0)
      return write.unknown.length > 0 ? [] : [linkOf(columns, undefined, write, lineage)];
    return values.map((from) => linkOf(columns, from, write, lineage));
  });
}

function linksFrom(columns: ColumnGraph, from: ColumnName): readonly LineageLink[] {
  return columns
    .writesFrom(from)
    .flatMap((write) => columnsFrom(write, from).map((lineage) => linkOf(columns, from, write, lineage)));
}

function linkOf(
  columns: ColumnGraph,
  from: ColumnName | undefined,
  write: ColumnWrite,
  lineage: ColumnLineage,
): LineageLink {
  const { kind } = columns.graph.project;
  const key = from && columnKey(from);
  const use = lineage.values.find((value) => columnKey(value) === key)?.use ?? 'computed';
  return {
    ...(from && { from: nameText(from, kind) }),
    to: nameText({ table: write.table, column: lineage.name }, kind),
    use,
    mode: write.mode,
    writer: placeOf(write),
    computedIn:
      use === 'copied' ? [] : lineage.computedIn.map((name) => componentPlace(columns, write, name)),
  };
}

/** What decides about the rows of a column's table and chooses the column's values, where these are written. */
function decisionsAbout(columns: ColumnGraph, to: ColumnName): readonly LineageDecision[] {
  const { kind } = columns.graph.project;
  return columns.writesOf(to.table).flatMap((write): readonly LineageDecision[] => {
    const lineage = write.columns.find(({ name }) => name === to.column);
    // What changes other columns only leaves the rows as they are. What only removes rows has no columns.
    if (lineage === undefined && write.mode === 'change' && write.columns.length > 0) return [];
    const { choices = [], values = [] } = lineage ?? {};
    return [
      ...write.rows.map((from) => decisionOf(from, nameText({ table: to.table }, kind), 'rows', write)),
      ...choices
        .filter((from) => !hasColumn(values, from))
        .map((from) => decisionOf(from, nameText(to, kind), 'values', write)),
    ];
  });

  function decisionOf(
    from: ColumnName,
    id: string,
    about: LineageDecision['about'],
    write: ColumnWrite,
  ): LineageDecision {
    return { from: nameText(from, kind), to: id, about, writer: placeOf(write) };
  }
}

/** What a column decides about, without being a part of it. */
function decisionsBy(columns: ColumnGraph, from: ColumnName): readonly LineageDecision[] {
  const { kind } = columns.graph.project;
  const id = nameText(from, kind);
  return columns.writesFrom(from).flatMap((write): LineageDecision[] => {
    const writer = placeOf(write);
    const chosen = write.columns.filter(
      ({ choices, values }) => hasColumn(choices, from) && !hasColumn(values, from),
    );
    const decidesRows = hasColumn(write.rows, from) && columnsFrom(write, from).length === 0;
    return [
      ...(decidesRows
        ? [{ from: id, to: nameText({ table: write.table }, kind), about: 'rows' as const, writer }]
        : []),
      ...chosen.map(({ name }) => {
        const to = nameText({ table: write.table, column: name }, kind);
        return { from: id, to, about: 'values' as const, writer };
      }),
    ];
  });
}

/** The components that use a column without a trace of it in a table, and the components of which this is not known. */
function readsOf(columns: ColumnGraph, from: ColumnName): readonly LineageRead[] {
  const { graph } = columns;
  const id = nameText(from, graph.project.kind);
  const unnamed = columns.unnamed.filter((write) => hasColumn(dependenciesOf(write), from));
  const traced = [...columns.writesFrom(from), ...unnamed];
  const doubtful = columns
    .doubtfulReadsOf(from.table)
    .filter((write) => !hasColumn(dependenciesOf(write), from));
  const written = [...unnamed, ...doubtful].map((write) => ({
    from: id,
    reader: placeOf(write),
    unknown: firstLine(write.unknown[0] ?? ''),
  }));
  const read = columns.readsOf(from).flatMap((each): LineageRead[] => {
    const unknown = columns.unknownAfter(each).map((write) => ({
      from: id,
      reader: placeOf(write),
      unknown: firstLine(write.unknown[0] ?? ''),
    }));
    if (unknown.length > 0) return unknown;
    const reader = placeOf(each);
    if (!each.isBound) return [{ from: id, reader, unknown: reasonOf(graph, each) }];
    const isTraced = traced.some(
      (write) =>
        write.pipeline === each.pipeline &&
        (write.component === each.component ||
          graph.project.pipeline(each.pipeline)?.kind === 'transformation'),
    );
    return isTraced ? [] : [{ from: id, reader }];
  });
  const shown = new Set(
    [...columns.readsOf(from), ...columns.writesOf(from.table), ...traced, ...doubtful].map(partKey),
  );
  const naming = columns.partsNaming(from.table, 'read').filter((part) => !shown.has(partKey(part)));
  const possible = naming.map((part) => ({
    from: id,
    reader: partPlace(columns, part),
    unknown: unboundName,
  }));
  return [...written, ...read, ...possible];
}

function partKey({ pipeline, component }: Pick<NamingPart, 'pipeline' | 'component'>): string {
  return JSON.stringify([pipeline, component]);
}

/** The components that use a table whose name is not known: it may be any. */
function unnamedUses(columns: ColumnGraph): LineageReport['unnamed'] {
  const { graph } = columns;
  const uses = [...graph.pipelines].flatMap(([pipeline, { unknown }]) =>
    unknown.flatMap(({ unnamed, place, component }) =>
      unnamed === undefined ? [] : [{ variable: unnamed, user: placeOf({ place, pipeline, component }) }],
    ),
  );
  const any = columns.anyWriters.map((part) => ({ user: partPlace(columns, part) }));
  return distinct([...uses, ...any]);
}

function reasonOf({ pipelines }: DataGraph, { pipeline, component }: ColumnRead): string {
  const unknown = pipelines.get(pipeline)?.unknown.find((each) => each.component === component);
  return firstLine(unknown?.reason ?? 'the component cannot be compiled');
}

function described(columns: ColumnGraph, each: ColumnName, isAbove: boolean): LineageColumn {
  const { graph } = columns;
  const { table, column } = each;
  const isWritten = writersOf(columns, each).length > 0;
  return {
    id: nameText(each, graph.project.kind),
    ...plainTable(table),
    column,
    isOutside: !isWritten && graph.tables.isOutside(table),
    unknown: isAbove ? unknownSources(columns, each) : [],
  };
}

function unknownSources(columns: ColumnGraph, { table, column }: ColumnName): readonly UnknownSource[] {
  const writes = columns
    .writesOf(table)
    .filter((write) => write.columns.length === 0 || write.columns.some(({ name }) => name === column));
  const named = writes.flatMap((write) =>
    write.unknown.map((reason) => ({ reason: firstLine(reason), writer: placeOf(write) })),
  );
  const possible = columns.partsNaming(table, 'write').map((part) => ({
    reason: unboundName,
    writer: partPlace(columns, part),
  }));
  const isMentioned = possible.length === 0 && columns.graph.tables.isMentioned(table);
  return distinct([...named, ...possible, ...(isMentioned ? [{ reason: unboundName }] : [])]);
}

const unboundName = 'code that cannot be compiled names the table';

/** Without the lines of a mock, and without how to fix it. */
function firstLine(reason: string): string {
  const [first = ''] = reason.split('\n');
  return withoutFix(first);
}

function plain({ table, column }: ColumnName): ColumnName {
  return { table, column };
}

function plainTable({ database, schema, table }: TableName): TableName {
  return { database, schema, table };
}

function distinct<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
