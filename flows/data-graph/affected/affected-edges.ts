import { calledPath, callsOf } from '../../../lib/pipelines/model/calls.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { isEmpty } from '../../../lib/yaml/yaml-node.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import { tableKey } from '../bind/project-tables.ts';
import { callTargetsOf } from '../../pipeline-tests/files/project-roots.ts';

/** If `from` changes, `to` is affected. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly line: number;
  /** What `to` does with `from`: the end of a sentence. */
  readonly how: string;
  /** The table that `to` reads, or another object that it uses; undefined for a call, and for a table that is known only at run time. */
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
