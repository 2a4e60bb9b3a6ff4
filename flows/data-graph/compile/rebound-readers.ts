import type { Place, TableName, TableRead } from '../../../engine/index.ts';
import { listText } from '../../../lib/core/text/list-text.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import { tableKey } from '../bind/table-definitions.ts';
import type { Definition } from '../bind/table-definitions.ts';
import { isAsAtBase } from '../texts/component-texts.ts';
import { isChanged } from './breaking-changes.ts';
import type { CompileFinding } from './compile-report.ts';

interface Reader extends Place {
  readonly pipeline: string;
  readonly component: string;
}

/** A name in an unchanged component that means another column than at the base. */
interface Rebound {
  readonly table: TableName;
  readonly column: string;
  readonly isGone: boolean;
  readonly reader: Reader;
}

/**
 * The findings about unchanged components in which a name now means a different column: the column it meant is
 * gone, and another table or an alias has the name; or a table now has such a column.
 */
export function reboundReaders(graph: DataGraph, base: DataGraph): readonly CompileFinding[] {
  const changes = new Map<
    string,
    {
      readonly what: string;
      readonly definition: Definition;
      readonly rebound: Rebound;
      readonly readers: Reader[];
    }
  >();
  for (const rebound of reboundNames(graph, base)) {
    const { table, column, isGone, reader } = rebound;
    const what = `"${table.table}" ${isGone ? 'no longer has' : 'now has'} the column "${column}"`;
    for (const definition of graph.tables.definitionsOf(table).filter((each) => isChanged(each, base))) {
      const key = JSON.stringify([definition.pipeline, definition.component, what]);
      const change = changes.get(key) ?? { what, definition, rebound, readers: [] };
      changes.set(key, change);
      change.readers.push(reader);
    }
  }
  return Array.from(changes.values(), findingOf);
}

function findingOf({
  what,
  definition: { pipeline, component, place, table },
  rebound: { column, isGone },
  readers,
}: {
  readonly what: string;
  readonly definition: Definition;
  readonly rebound: Rebound;
  readonly readers: readonly Reader[];
}): CompileFinding {
  const names = readers.map((reader) => `${withoutSuffix(reader.pipeline)} (${reader.file}:${reader.line})`);
  const these = readers.length === 1 ? 'this reader' : 'these readers';
  const meaning = isGone ? 'now means another column' : 'now means this new column';
  const fix = isGone ? 'write the column again' : 'give the column another name';
  return {
    ...place,
    rule: 'breaking-change',
    severity: 'error',
    pipeline,
    component,
    tables: [table],
    columnName: column,
    subject: what,
    message: `${what}, so the name "${column}" in ${listText(names)} ${meaning}; ${fix}, or write the table before the name in ${these}`,
    related: readers,
  };
}

function* reboundNames(graph: DataGraph, base: DataGraph): Generator<Rebound> {
  for (const [pipeline, { reads }] of graph.pipelines) {
    const before = Map.groupBy(base.pipelines.get(pipeline)?.reads ?? [], readKey);
    for (const [key, now] of Map.groupBy(reads, readKey)) {
      const old = before.get(key);
      const [first] = now;
      if (old === undefined || first === undefined || ![...now, ...old].every(({ isBound }) => isBound))
        continue;
      const [columns, oldColumns] = [columnsOf(now), columnsOf(old)];
      const { table, component, place } = first;
      const has = columnNames(graph, table);
      const had = columnNames(base, table);
      if (has === undefined || had === undefined) continue;
      const gone = [...oldColumns].filter((name) => !columns.has(name) && had.has(name) && !has.has(name));
      const added = [...columns].filter((name) => !oldColumns.has(name) && has.has(name) && !had.has(name));
      if (gone.length + added.length === 0 || !isAsAtBase(pipeline, component, graph, base)) continue;
      const reader = { ...place, pipeline, component };
      for (const column of gone) yield { table, column, isGone: true, reader };
      for (const column of added) yield { table, column, isGone: false, reader };
    }
  }
}

function readKey({ component, table }: TableRead): string {
  return JSON.stringify([component, tableKey(table)]);
}

function columnsOf(reads: readonly TableRead[]): ReadonlySet<string> {
  return new Set(reads.flatMap(({ columns }) => columns));
}

/** The columns of a table if all are known. */
function columnNames({ tables }: DataGraph, table: TableName): ReadonlySet<string> | undefined {
  const known = tables.find(table);
  return known?.areNamesComplete === true ? new Set(known.columns.map(({ name }) => name)) : undefined;
}
