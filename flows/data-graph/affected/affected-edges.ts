import type { TableName } from '../../../engine/index.ts';
import { calledPath, callsOf } from '../../../lib/pipelines/model/calls.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { isEmpty } from '../../../lib/yaml/yaml-node.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import { tableKey } from '../bind/project-tables.ts';
import { unreadParts } from '../texts/unread-parts.ts';
import { callTargetsOf } from '../../pipeline-tests/files/project-roots.ts';

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
  const targets = callTargetsOf(project);
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

/** Who reads the tables of a pipeline, also of a streaming pipeline. A table may have many writers and many readers: the pairs are not listed. */
export interface TableReaders {
  /** All readers of the tables that a pipeline writes, now or before. */
  all(from: string): readonly Edge[];
  /** As `all`, without the tables that it gave for an earlier pipeline. */
  next(from: string): readonly Edge[];
}

/** A pipeline that reads a table no more, because nothing writes the table, still counts as its reader. */
export function tableReaders(graph: DataGraph, before: DataGraph): TableReaders {
  const reads = [...graph.pipelines].flatMap(([to, bound]) => {
    const now = bound.reads.map(({ table, place }) => ({ to, key: tableKey(table), table, place }));
    const keys = new Set(now.map(({ key }) => key));
    const old = (before.pipelines.get(to)?.reads ?? [])
      .map(({ table, place }) => ({ to, key: tableKey(table), table, place }))
      .filter(({ key }) => !keys.has(key));
    return [...now, ...old];
  });
  const ranked = reads.map((read, rank) => ({ ...read, rank }));
  const byTable = Map.groupBy(ranked, ({ key }) => key);
  const streams = Map.groupBy([...before.streamed, ...graph.streamed], ({ pipeline }) => pipeline);
  const written = (from: string) =>
    new Set(
      [
        ...[before, graph].flatMap(({ pipelines }) => pipelines.get(from)?.writes ?? []),
        ...(streams.get(from) ?? []),
      ].map(({ table }) => tableKey(table)),
    );
  const readersOf = (from: string, keys: Iterable<string>): readonly Edge[] =>
    [...keys]
      .flatMap((key) => byTable.get(key) ?? [])
      .filter(({ to }) => to !== from)
      .toSorted((one, other) => one.rank - other.rank)
      .map(({ to, table, place }): Edge => {
        const how = `reads ${table.table}, which ${withoutSuffix(from)} writes`;
        return { from, to, line: place.line, how, table: table.table, isSure: true, movesData: true };
      });
  const seen = new Set<string>();
  return {
    all: (from) => readersOf(from, written(from)),
    next(from) {
      const keys = [...written(from)].filter((key) => !seen.has(key));
      for (const key of keys) seen.add(key);
      return readersOf(from, keys);
    },
  };
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
