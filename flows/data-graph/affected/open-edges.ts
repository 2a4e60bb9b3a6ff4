import type { TableName } from '../../../engine/index.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import { allUnreadParts } from '../texts/unread-parts.ts';
import type { Edge } from './affected-edges.ts';

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
export function openEdges(
  graph: DataGraph,
  writesOf: (pipeline: string) => Writes,
): (from: string) => readonly Edge[] {
  const parts = allUnreadParts(graph);
  const openReaders: readonly OpenReader[] = [
    ...[...graph.pipelines].flatMap(([to, { open }]) =>
      open.flatMap(({ effect, table, place: { line } }): readonly OpenReader[] => {
        if (effect !== 'read') return [];
        return [{ to, line, how: openName, table: undefined, mayRead: nameMatcher(table) }];
      }),
    ),
    ...parts.flatMap(({ pipeline: to, line, open }) =>
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
  const byWord = Map.groupBy(reads, ({ table: { table } }) => table.toLowerCase());
  const partsByWord = new Map<string, (typeof parts)[number][]>();
  for (const part of parts)
    for (const [word, count] of part.words) {
      if (count <= 0) continue;
      const list = partsByWord.get(word);
      if (list === undefined) partsByWord.set(word, [part]);
      else list.push(part);
    }
  const named = (table: string, how: string) =>
    (partsByWord.get(table.toLowerCase()) ?? []).map(({ pipeline: to, line }) => ({ to, line, how, table }));
  const inPart = 'in a component of which not everything is known';
  return (from) => {
    const name = withoutSuffix(from);
    const { tables, open, words } = writesOf(from);
    const mayWrite = open.map((table) => nameMatcher(table));
    const certain = [...new Set(tables.map(({ table }) => table))];
    const possible = [...words].filter((word) => byWord.has(word));
    const may = `${name} may write: the name of its table is known only at run time`;
    const readers = [
      // Whether two open names can be the same is not compared: they may be.
      ...openReaders.filter(({ mayRead }) => open.length > 0 || tables.some(mayRead)),
      ...certain.flatMap((table) => named(table, `names ${table}, which ${name} writes, ${inPart}`)),
      ...possible
        .flatMap((word) => byWord.get(word) ?? [])
        .map(({ to, line, table: { table } }) => ({
          to,
          line,
          how: `reads ${table}, which ${name} may write: it names the table ${inPart}`,
          table,
        })),
      ...possible.flatMap((word) => {
        const table = byWord.get(word)?.[0]?.table.table ?? word;
        return named(table, `names ${table}, which ${name} may write, ${inPart}`);
      }),
      ...reads
        .filter(({ table }) => mayWrite.some((matches) => matches(table)))
        .map(({ to, line, table: { table } }) => ({ to, line, how: `reads ${table}, which ${may}`, table })),
    ];
    return readers
      .filter(({ to }) => to !== from)
      .map(({ to, line, how, table }) => ({ from, to, line, how, table, isSure: false, movesData: true }));
  };
}

/** What a pipeline writes, now or before. */
export interface Writes {
  readonly tables: readonly TableName[];
  /** Names in which `*` means what is not known. */
  readonly open: readonly TableName[];
  /** The words, in lower case, that may be names of further tables. */
  readonly words: ReadonlySet<string>;
}

export function pipelineWrites(graph: DataGraph, before: DataGraph): (pipeline: string) => Writes {
  const sides = [graph, before].map((side) => ({
    side,
    parts: Map.groupBy(allUnreadParts(side), ({ pipeline }) => pipeline),
  }));
  const bound = [...graph.pipelines.values(), ...before.pipelines.values()];
  const names = new Set(
    bound.flatMap(({ reads, writes }) => [...reads, ...writes].map(({ table }) => table.table.toLowerCase())),
  );
  return (pipeline) => {
    const own = sides.flatMap(({ side }) => side.pipelines.get(pipeline) ?? []);
    const written = sides.flatMap(({ parts }) => (parts.get(pipeline) ?? []).flatMap((part) => part.written));
    const isOpen = written.some(({ words, isAny }) => isAny && names.isDisjointFrom(words));
    return {
      tables: own.flatMap(({ writes }) => writes.map(({ table }) => table)),
      open: [
        ...own.flatMap(({ open }) => open.flatMap(({ effect, table }) => (effect === 'write' ? table : []))),
        ...(isOpen ? [anyTable] : []),
      ],
      words: written.reduce((all, { words }) => all.union(words), new Set<string>()),
    };
  };
}

const anyTable: TableName = { database: '*', schema: '*', table: '*' };

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
