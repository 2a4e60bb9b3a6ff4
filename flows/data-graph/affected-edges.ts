import type { TableName } from '../../engine/index.ts';
import { calledPath, callsOf } from '../../lib/pipelines/model/calls.ts';
import { withoutSuffix } from '../../lib/pipelines/model/pipeline-kind.ts';
import { isEmpty } from '../../lib/yaml/yaml-node.ts';
import type { DataGraph } from './bind-project.ts';
import { tableKey } from './project-tables.ts';
import { unreadParts } from './unread-parts.ts';

/** If `from` changes, `to` is affected. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly line: number;
  /** What `to` does with `from`: the end of a sentence. */
  readonly how: string;
  /** The table that `to` reads; undefined for a call, and for a table that is known only at run time. */
  readonly table: string | undefined;
  /** Whether it is known that `to` uses `from`, and not only possible. */
  readonly isSure: boolean;
  /** Whether `to` may write other data: a caller itself does only what it did, unless it uses a result of the call. */
  readonly movesData: boolean;
}

/** Calls between pipelines of the project. A call that is known only at run time may be one of any of `changed`. */
export function callEdges({ project, pipelines }: DataGraph, changed: readonly string[]): readonly Edge[] {
  const targets = { has: (path: string) => project.has(path), shared: project.shared };
  return [...pipelines.keys()].flatMap((path) => {
    const document = project.pipeline(path);
    return (document === undefined ? [] : callsOf(document)).flatMap((call): Edge[] => {
      const { line } = call.component.range;
      const movesData = !isEmpty(call.component.node('postProcessing'));
      const edge = (from: string, how: string): Edge => ({
        from,
        to: path,
        line,
        how,
        table: undefined,
        isSure: !call.dynamic,
        movesData,
      });
      if (call.dynamic)
        return changed.map((from) => edge(from, 'calls a pipeline that is known only at run time'));
      const called = calledPath(call, targets);
      return called === undefined ? [] : [edge(called, `calls ${withoutSuffix(called)}`)];
    });
  });
}

/** From each pipeline that writes a table, now or before, also a streaming pipeline, to each that reads it. */
export function tableEdges(graph: DataGraph, before: DataGraph): readonly Edge[] {
  const writers = new Map<string, Set<string>>();
  const add = (table: TableName, pipeline: string) => {
    const key = tableKey(table);
    writers.set(key, (writers.get(key) ?? new Set()).add(pipeline));
  };
  for (const { pipelines, streamed } of [before, graph]) {
    for (const [pipeline, { writes }] of pipelines) for (const { table } of writes) add(table, pipeline);
    for (const { table, pipeline } of streamed) add(table, pipeline);
  }
  return [...graph.pipelines].flatMap(([to, { reads }]) =>
    reads.flatMap(({ table, place }) =>
      [...(writers.get(tableKey(table)) ?? [])]
        .filter((from) => from !== to)
        .map((from): Edge => {
          const how = `reads ${table.table}, which ${withoutSuffix(from)} writes`;
          return { from, to, line: place.line, how, table: table.table, isSure: true, movesData: true };
        }),
    ),
  );
}

/** What may read a table that the binding does not know of, with the place and the end of a sentence. */
interface OpenReader extends Pick<Edge, 'to' | 'line' | 'how' | 'table'> {
  /** Whether it may read a table with this name, which may be open itself. */
  readonly mayRead: (table: TableName) => boolean;
}

const openName = 'reads a table whose name is known only at run time';
const openSql = 'runs SQL that is known only at run time, and may read any table';

/**
 * Gives the edges of one pipeline to what may read its tables although it is not known for sure: a table whose name is known only at run
 * time may be each one that fits the known part of the name.
 */
export function openEdges(graph: DataGraph, before: DataGraph): (from: string) => readonly Edge[] {
  const parts = [...graph.pipelines].flatMap(([to, bound]) => {
    const document = graph.project.pipeline(to);
    return (document === undefined ? [] : unreadParts(document, bound, graph.project)).map((part) => ({
      to,
      ...part,
    }));
  });
  const openReaders: readonly OpenReader[] = [
    ...[...graph.pipelines].flatMap(([to, { open }]) =>
      open.flatMap(({ effect, table, place: { line } }): readonly OpenReader[] => {
        if (effect !== 'read') return [];
        return [{ to, line, how: openName, table: undefined, mayRead: nameMatcher(table) }];
      }),
    ),
    ...parts.flatMap(({ to, line, open }) =>
      open.map((name) => ({
        to,
        line,
        how: name === '*' ? openSql : openName,
        table: undefined,
        // Without quotes, the case of a name does not count.
        mayRead: nameMatcher({ database: '*', schema: '*', table: name }, 'i'),
      })),
    ),
  ];
  const reads = [...graph.pipelines].flatMap(([to, bound]) =>
    bound.reads.map(({ table, place: { line } }) => ({ to, line, table })),
  );
  return (from) => {
    const name = withoutSuffix(from);
    const { tables, open } = writesOf(from, graph, before);
    const mayWrite = open.map((table) => nameMatcher(table));
    const mentioned = [...new Set(tables.map(({ table }) => table))].flatMap((table) =>
      parts
        .filter(({ words }) => (words.get(table.toLowerCase()) ?? 0) > 0)
        .map(({ to, line }) => ({
          to,
          line,
          how: `names ${table}, which ${name} writes, in a component of which not everything is known`,
          table,
        })),
    );
    const may = `${name} may write: the name of its table is known only at run time`;
    const readers = [
      // Whether two open names can be the same is not compared: they may be.
      ...openReaders.filter(({ mayRead }) => open.length > 0 || tables.some(mayRead)),
      ...mentioned,
      ...reads
        .filter(({ table }) => mayWrite.some((matches) => matches(table)))
        .map(({ to, line, table: { table } }) => ({ to, line, how: `reads ${table}, which ${may}`, table })),
    ];
    return readers
      .filter(({ to }) => to !== from)
      .map(({ to, line, how, table }) => ({ from, to, line, how, table, isSure: false, movesData: true }));
  };
}

/** What a pipeline writes, now or before: tables, and names in which `*` means what is not known. */
export function writesOf(
  pipeline: string,
  graph: DataGraph,
  before: DataGraph,
): { readonly tables: readonly TableName[]; readonly open: readonly TableName[] } {
  const sides = [graph, before].flatMap(({ pipelines }) => pipelines.get(pipeline) ?? []);
  return {
    tables: sides.flatMap(({ writes }) => writes.map(({ table }) => table)),
    open: sides.flatMap((side) =>
      side.open.flatMap(({ effect, table }) => (effect === 'write' ? table : [])),
    ),
  };
}

/** Tells whether a table may be the one with a name in which `*` means what is not known. */
function nameMatcher(open: TableName, flag = ''): (table: TableName) => boolean {
  const [database, schema, name] = [open.database, open.schema, open.table].map(
    (text) => new RegExp(`^${text.split('*').map(RegExp.escape).join('.*')}$`, `s${flag}`),
  );
  return (table) =>
    database?.test(table.database) === true &&
    schema?.test(table.schema) === true &&
    name?.test(table.table) === true;
}
