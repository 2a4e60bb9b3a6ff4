import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { ProjectFacts } from './project-facts.ts';

/** A connection: if `from` changes, `to` is affected. */
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

/**
 * The calls between pipelines of the project. A call whose target is only known at run time may lead to any of
 * `changed`.
 */
export function callEdges({ pipelines }: ProjectFacts, changed: readonly string[]): readonly Edge[] {
  return [...pipelines.values()].flatMap(({ path: to, calls }) =>
    byLine(calls).flatMap(({ line, path, dynamic = false, result = false }): readonly Edge[] => {
      const edge = (from: string, how: string): Edge => ({
        from,
        to,
        line,
        how,
        table: undefined,
        isSure: !dynamic,
        movesData: result,
      });
      if (dynamic)
        return changed.map((from) => edge(from, 'calls a pipeline that is known only at run time'));
      return path === undefined ? [] : [edge(path, `calls ${withoutSuffix(path)}`)];
    }),
  );
}

/** Tells who uses what a pipeline writes. Pairs are not stored, because a table can have many writers and readers. */
export interface Users {
  /** All readers of the tables that a pipeline writes, now or before. */
  all(from: string): readonly Edge[];
  /** As `all`, without what it gave for an earlier pipeline. */
  next(from: string): readonly Edge[];
}

/** The readers of tables. A pipeline counts as a reader even if the table it reads is no longer written. */
export function tableReaders(now: ProjectFacts, before: ProjectFacts): Users {
  const byTable = new Map<string, TableReader[]>();
  let rank = 0;
  for (const { path: to, reads: own } of now.pipelines.values()) {
    const keys = new Set(own.map(({ table }) => table));
    const old = (before.pipelines.get(to)?.reads ?? []).filter(({ table }) => !keys.has(table));
    for (const { table, line } of [...byLine(own), ...byLine(old)]) {
      const list = byTable.get(table);
      rank += 1;
      if (list === undefined) byTable.set(table, [{ to, line, table, rank }]);
      else list.push({ to, line, table, rank });
    }
  }
  const streams = Map.groupBy(
    [before, now].flatMap(({ snapshot }) => snapshot.streaming),
    ({ file }) => file,
  );
  const written = (from: string) =>
    new Set([
      ...[before, now].flatMap(({ pipelines }) =>
        (pipelines.get(from)?.writes ?? []).map(({ table }) => table),
      ),
      ...(streams.get(from) ?? []).flatMap(({ tables }) => tables),
    ]);
  const readersOf = (from: string, keys: Iterable<string>): readonly Edge[] =>
    Array.from(keys)
      .flatMap((key) => byTable.get(key) ?? [])
      .filter(({ to }) => to !== from)
      .toSorted((one, other) => one.rank - other.rank)
      .map(({ to, line, table: key }): Edge => {
        const table = (now.tables.get(key) ?? before.tables.get(key))?.name[2] ?? key;
        const how = `reads ${table}, which ${withoutSuffix(from)} writes`;
        return { from, to, line, how, table, isSure: true, movesData: true };
      });
  return eachOnce(written, readersOf);
}

/**
 * Tells who uses SQL objects other than tables (functions, sequences, stages and so on) that a pipeline creates,
 * alters or drops, now or before. A pipeline that creates an object itself uses its own.
 */
export function objectUsers(now: ProjectFacts, before: ProjectFacts): Users {
  const names = new Map(
    [now, before].flatMap(({ pipelines }) =>
      [...pipelines.values()].flatMap(({ defines }) => defines.map(({ key, name }) => [key, name] as const)),
    ),
  );
  const known = new Set([...now.pipelines.values()].flatMap(({ defines }) => defines.map(({ key }) => key)));
  const users = new Map<string, { readonly to: string; readonly line: number }[]>();
  for (const { path: to, objects, defines } of now.pipelines.values()) {
    // What nothing creates any more is not among the objects of now: who used it before still does, or has changed.
    const old = before.pipelines.get(to)?.objects.filter(({ key }) => !known.has(key)) ?? [];
    for (const { key, line } of [...objects, ...old]) {
      if (defines.some((defined) => defined.key === key)) continue;
      const list = users.get(key);
      if (list === undefined) users.set(key, [{ to, line }]);
      else list.push({ to, line });
    }
  }
  const keysOf = (from: string) =>
    new Set(
      [now, before].flatMap(({ pipelines }) => (pipelines.get(from)?.defines ?? []).map(({ key }) => key)),
    );
  return eachOnce(keysOf, (from, keys) =>
    Array.from(keys).flatMap((key) =>
      (users.get(key) ?? []).flatMap(({ to, line }): readonly Edge[] => {
        const table = names.get(key) ?? '';
        const how = `uses ${table}, which ${withoutSuffix(from)} creates`;
        return to === from ? [] : [{ from, to, line, how, table, isSure: true, movesData: true }];
      }),
    ),
  );
}

function eachOnce(
  keysOf: (from: string) => ReadonlySet<string>,
  edges: (from: string, keys: Iterable<string>) => readonly Edge[],
): Users {
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

interface TableReader {
  readonly to: string;
  readonly line: number;
  readonly table: string;
  /** Its place among all of them. */
  readonly rank: number;
}

/** Sorts by line. */
export function byLine<Placed extends { readonly line: number }>(list: readonly Placed[]): readonly Placed[] {
  return list.length < 2 ? list : list.toSorted((a, b) => a.line - b.line);
}
