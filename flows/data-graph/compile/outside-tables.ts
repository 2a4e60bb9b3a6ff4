import type { BoundPipeline, Place, TableName } from '../../../engine/index.ts';
import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import { catalogView } from '../bind/catalog-views.ts';
import type { OutsideTable } from './compile-report.ts';
import { type Definition, tableKey } from '../bind/table-definitions.ts';

/**
 * The tables that components read and whose columns no component defines: nothing creates them, or only components
 * that cannot be bound. The first one is the table whose declaration would bind most reads.
 */
export function outsideTables(graph: DataGraph): readonly OutsideTable[] {
  const { pipelines, tables, project } = graph;
  const waiting = [...pipelines.values()].flatMap((bound) => waitingIn(bound, graph));
  const definitions = countDefinitions(waiting);
  // What a component creates that has a fault of its own is known once the fault is fixed.
  const isUnclear = ({ columns, pipeline, component }: Definition) =>
    columns === undefined &&
    pipelines.get(pipeline)?.problems.some((problem) => problem.component === component) !== true;
  const isOutside = (table: TableName) =>
    tables.isOutside(table) ||
    (tables.find(table) === undefined &&
      // Of another table, the columns are known once the tables are known that it is computed from.
      tables.definitionsOf(table).filter(isUnclear).length > (definitions.get(tableKey(table)) ?? 0));
  const reads = [...pipelines.values()].flatMap((bound) => bound.reads);
  const groups = Map.groupBy(
    reads.filter(({ table }) => catalogView(table, project.kind) === undefined && isOutside(table)),
    ({ table }) => tableKey(table),
  );
  const binds = bindingReads(waiting);
  return [...groups]
    .flatMap(([key, list]) => {
      const [first] = list;
      if (first === undefined) return [];
      const isKnown = tables.find(first.table) !== undefined;
      return [{ table: first.table, reads: list.length, isKnown, binds: isKnown ? 0 : binds(key) }];
    })
    .toSorted(
      (a, b) => b.binds - a.binds || b.reads - a.reads || compareTexts(tableKey(a.table), tableKey(b.table)),
    );
}

/** For each table, how many definitions wait for tables only. */
function countDefinitions(waiting: readonly Waiting[]): ReadonlyMap<string, number> {
  const definitions = new Map<string, number>();
  for (const { defines } of waiting)
    for (const key of defines) definitions.set(key, (definitions.get(key) ?? 0) + 1);
  return definitions;
}

/** Components that wait for the columns of tables, and what they do once they have them. */
interface Waiting {
  readonly tables: ReadonlySet<string>;
  /** How many reads become bound. */
  readonly reads: number;
  /** Tables of which a definition becomes known. */
  readonly defines: readonly string[];
}

/** How many reads become bound at most if a table is declared, also reads of tables that are computed from it. */
function bindingReads(waiting: readonly Waiting[]): (key: string) => number {
  const byTable = new Map<string, Waiting[]>();
  const definitions = countDefinitions(waiting);
  for (const each of waiting)
    for (const key of each.tables) byTable.set(key, [...(byTable.get(key) ?? []), each]);
  return (declared) => {
    const left = new Map<Waiting, number>();
    const undefinedBy = new Map<string, number>();
    let reads = 0;
    const known = new Set([declared]);
    // The loop also visits what it adds.
    for (const key of known)
      for (const each of byTable.get(key) ?? []) {
        const others = (left.get(each) ?? each.tables.size) - 1;
        left.set(each, others);
        if (others > 0) continue;
        reads += each.reads;
        for (const defined of each.defines) {
          const more = (undefinedBy.get(defined) ?? definitions.get(defined) ?? 0) - 1;
          undefinedBy.set(defined, more);
          if (more === 0) known.add(defined);
        }
      }
    return reads;
  };
}

/** What a part of a pipeline is known by: a component, or a statement of its script. */
function partOf(component: string, { line, column }: Place): string {
  return JSON.stringify([component, line, column]);
}

/** The parts of a pipeline that fail for tables only, each by itself, and those that wait for other parts of the pipeline. */
function waitingIn(
  { reads, writes, unknown }: BoundPipeline,
  { tables, project }: DataGraph,
): readonly Waiting[] {
  const isUnknown = (table: TableName) =>
    tables.find(table) === undefined && catalogView(table, project.kind) === undefined;
  const written = Map.groupBy(writes, ({ component, place }) => partOf(component, place));
  const read = Map.groupBy(
    reads.filter(({ isBound }) => !isBound),
    ({ component, place }) => partOf(component, place),
  );
  const own = Map.groupBy(
    unknown.filter(({ isAfterOther }) => !isAfterOther),
    ({ component, part }) => partOf(component, part),
  );
  const workOf = (parts: readonly string[]): Omit<Waiting, 'tables'> => ({
    reads: parts.reduce((sum, part) => sum + (read.get(part)?.length ?? 0), 0),
    defines: parts
      .flatMap((part) => written.get(part) ?? [])
      .filter(({ mode, columns }) => (mode === 'define' || mode === 'alter') && columns === undefined)
      .map(({ table }) => tableKey(table)),
  });
  const causes = [...own].map(([part, list]) => {
    const targets = new Set((written.get(part) ?? []).map(({ table }) => tableKey(table)));
    const missing = list.map(({ tables: used }) =>
      used
        .map((table) => (isUnknown(table) ? tableKey(table) : ''))
        .filter((key) => key !== '' && !targets.has(key)),
    );
    // Without such a table, something else is not known.
    return { part, tables: missing.some((keys) => keys.length === 0) ? undefined : new Set(missing.flat()) };
  });
  const alone = causes.flatMap(({ part, tables: waitsFor }) =>
    waitsFor === undefined ? [] : [{ tables: waitsFor, ...workOf([part]) }],
  );
  if (causes.length === 0 || causes.some(({ tables: waitsFor }) => waitsFor === undefined)) return alone;
  const all = new Set(causes.flatMap(({ tables: waitsFor }) => [...(waitsFor ?? [])]));
  const others = [...new Set([...read.keys(), ...written.keys()])].filter((part) => !own.has(part));
  return [...alone, { tables: all, ...workOf(others) }];
}
