import { describeType, type KnownTable, type TableName } from '../../../engine/index.ts';
import { listText } from '../../../lib/core/text/list-text.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import { tableKey } from '../bind/table-definitions.ts';
import { isChanged } from './breaking-changes.ts';
import type { CompileFinding, RelatedPlace } from './compile-report.ts';

/**
 * The findings about columns that get another type and that other pipelines read. The readers do not fail, but may
 * compute something different.
 * @param breaking what the change breaks, which needs no second finding
 */
export function changedTypes(
  graph: DataGraph,
  base: DataGraph,
  breaking: readonly CompileFinding[],
): readonly CompileFinding[] {
  const known = new Set(
    breaking.flatMap(({ tables, columnName }) =>
      tables.map((table) => JSON.stringify([tableKey(table), columnName])),
    ),
  );
  const readers = readersByTable(graph);
  return [...readers].flatMap(([key, reads]) => {
    const [{ table }] = reads;
    const types = retyped(graph.tables.find(table), base.tables.find(table), graph);
    if (types.size === 0) return [];
    const changed = graph.tables.definitionsOf(table).filter((definition) => isChanged(definition, base));
    return [...types].flatMap(([name, what]) => {
      if (known.has(JSON.stringify([key, name]))) return [];
      const own = new Set(changed.map(({ pipeline }) => pipeline));
      const related = reads.filter((read) => read.columns.includes(name) && !own.has(read.place.pipeline));
      return related.length === 0
        ? []
        : changed.map(({ pipeline, component, place }) =>
            findingOf({ table, name, what }, { ...place, pipeline, component }, related),
          );
    });
  });
}

interface Read {
  readonly table: TableName;
  readonly columns: readonly string[];
  readonly place: RelatedPlace;
}

function readersByTable({ pipelines }: DataGraph): ReadonlyMap<string, readonly [Read, ...Read[]]> {
  const readers = new Map<string, [Read, ...Read[]]>();
  for (const [pipeline, { reads }] of pipelines)
    for (const { table, columns, component, place } of reads) {
      const read: Read = { table, columns, place: { ...place, pipeline, component } };
      const list = readers.get(tableKey(table));
      if (list === undefined) readers.set(tableKey(table), [read]);
      else list.push(read);
    }
  return readers;
}

/** The new and the old type of each column that has another one, as a message shows them. Nothing if a type is a guess. */
function retyped(
  now: KnownTable | undefined,
  old: KnownTable | undefined,
  { project: { kind } }: DataGraph,
): ReadonlyMap<string, string> {
  if (now?.areTypesKnown !== true || old?.areTypesKnown !== true) return new Map();
  const before = new Map(old.columns.map(({ name, type }) => [name, describeType(type, kind)]));
  return new Map(
    now.columns.flatMap(({ name, type }): [string, string][] => {
      const [was, is] = [before.get(name), describeType(type, kind)];
      return was === undefined || was === is ? [] : [[name, `${is} instead of ${was}`]];
    }),
  );
}

function findingOf(
  { table, name, what }: { readonly table: TableName; readonly name: string; readonly what: string },
  { file, line, column, pipeline, component }: RelatedPlace,
  readers: readonly Read[],
): CompileFinding {
  const names = readers.map(({ place }) => `${withoutSuffix(place.pipeline)} (${place.file}:${place.line})`);
  const subject = `the column "${name}" of "${table.table}" is ${what}`;
  return {
    file,
    line,
    column,
    rule: 'changed-type',
    severity: 'notice',
    pipeline,
    component,
    tables: [table],
    columnName: name,
    subject,
    message: `${subject}; ${listText([...new Set(names)])} ${names.length === 1 ? 'reads' : 'read'} it: check what ${names.length === 1 ? 'this reader computes' : 'these readers compute'}`,
    related: readers.map(({ place }) => place),
  };
}
