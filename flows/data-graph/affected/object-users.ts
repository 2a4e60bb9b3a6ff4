import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import { definedObjects, usedObjects } from '../texts/sql-objects.ts';
import type { Edge, TableReaders } from './affected-edges.ts';

/**
 * Who uses the functions, sequences, stages and other objects besides tables that the SQL of a pipeline creates, alters or drops, now or
 * before. A pipeline that creates an object itself uses its own.
 */
export function objectUsers(graph: DataGraph, before: DataGraph): TableReaders {
  const [defined, definedBefore] = [definedObjects(graph), definedObjects(before)];
  const names = new Map([...defined.values(), ...definedBefore.values()].flatMap((objects) => [...objects]));
  const users = new Map<string, { readonly to: string; readonly line: number }[]>();
  if (names.size > 0)
    for (const to of graph.pipelines.keys())
      for (const [key, line] of usedObjects(to, graph, (each) => names.has(each))) {
        if (defined.get(to)?.has(key) === true) continue;
        const list = users.get(key);
        if (list === undefined) users.set(key, [{ to, line }]);
        else list.push({ to, line });
      }
  const keysOf = (from: string) =>
    new Set([...(defined.get(from)?.keys() ?? []), ...(definedBefore.get(from)?.keys() ?? [])]);
  const edges = (from: string, keys: Iterable<string>): readonly Edge[] =>
    Array.from(keys).flatMap((key) =>
      (users.get(key) ?? []).flatMap(({ to, line }): readonly Edge[] => {
        const table = names.get(key) ?? '';
        const how = `uses ${table}, which ${withoutSuffix(from)} creates`;
        return to === from ? [] : [{ from, to, line, how, table, isSure: true, movesData: true }];
      }),
    );
  const seen = new Set<string>();
  return {
    all: (from) => edges(from, keysOf(from)),
    next(from) {
      const keys = [...keysOf(from)].filter((key) => !seen.has(key));
      for (const key of keys) seen.add(key);
      return edges(from, keys);
    },
  };
}
