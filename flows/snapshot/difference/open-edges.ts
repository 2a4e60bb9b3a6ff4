import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { SnapshotPart } from '../snapshot.ts';
import { byLine, type Edge } from './edges.ts';
import { type ProjectFacts, type TableName, tableNameOf } from './project-facts.ts';

/** What may read a table that the binding does not know of, with the place and the end of a sentence. */
interface OpenReader extends Pick<Edge, 'to' | 'line' | 'how' | 'table'> {
  /** Whether it may read a table with this name, which may be open itself. */
  readonly mayRead: (table: TableName) => boolean;
}

const openName = 'reads a table whose name is known only at run time';
const openSql = 'runs SQL that is known only at run time, and may read any table';
const inPart = 'in a component that Millrace cannot analyse completely';

/**
 * The connections from one pipeline to those that possibly read its tables. A table whose name is only known at run
 * time may be any table that matches the known part of the name.
 */
export function openEdges(
  now: ProjectFacts,
  before: ProjectFacts,
  writesOf: (pipeline: string) => Writes,
): (from: string) => readonly Edge[] {
  const parts = partsOf(now, before);
  const openReaders: readonly OpenReader[] = [
    ...[...now.pipelines.values()].flatMap(({ path: to, open }) =>
      byLine(open).flatMap(({ effect, name, line }): readonly OpenReader[] =>
        effect === 'read'
          ? [{ to, line, how: openName, table: undefined, mayRead: nameMatcher(tableNameOf(name)) }]
          : [],
      ),
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
  const reads = [...now.pipelines.values()].flatMap(({ path: to, reads: own }) =>
    byLine(own).flatMap(({ table, line }) => {
      const name = now.tables.get(table)?.name;
      return name === undefined ? [] : [{ to, line, table: tableNameOf(name) }];
    }),
  );
  const byWord = Map.groupBy(reads, ({ table: { table } }) => table.toLowerCase());
  const partsByWord = new Map<string, (typeof parts)[number][]>();
  for (const part of parts)
    for (const word of part.words) {
      const list = partsByWord.get(word);
      if (list === undefined) partsByWord.set(word, [part]);
      else list.push(part);
    }
  const named = (table: string, how: string) =>
    (partsByWord.get(table.toLowerCase()) ?? []).map(({ pipeline: to, line }) => ({ to, line, how, table }));
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

/**
 * A part of a pipeline that cannot be analysed completely, with the tables that it names before and after the
 * change.
 */
export interface NamingPart extends Pick<SnapshotPart, 'component' | 'line' | 'words' | 'open'> {
  readonly pipeline: string;
}

/**
 * Collects such parts of all pipelines. A snapshot only stores words that name tables of the same snapshot, so the
 * earlier snapshot is needed to know whether a part names a table that is gone.
 */
export function partsOf(now: ProjectFacts, before: ProjectFacts): readonly NamingPart[] {
  const words = tableWords(now);
  return [...now.pipelines.values()].flatMap(({ path: pipeline, parts }) => {
    const old = new Map(before.pipelines.get(pipeline)?.parts.map((part) => [part.component, part]));
    return byLine(parts).map(({ component, line, words: own, open }) => {
      const gone = (old.get(component)?.words ?? []).filter((word) => !words.has(word));
      return { pipeline, component, line, open, words: [...new Set([...own, ...gone])] };
    });
  });
}

/** The names of all tables, without database and schema, in lower case. */
function tableWords({ snapshot }: ProjectFacts): ReadonlySet<string> {
  return new Set(snapshot.tables.map(({ name: [, , table] }) => table.toLowerCase()));
}

/** The tables that a pipeline writes, now or before. */
export interface Writes {
  readonly tables: readonly TableName[];
  /** Names in which `*` means what is not known. */
  readonly open: readonly TableName[];
  /** The words, in lower case, that may be names of further tables. */
  readonly words: ReadonlySet<string>;
}

export function pipelineWrites(now: ProjectFacts, before: ProjectFacts): (pipeline: string) => Writes {
  const sides = [now, before];
  return (pipeline) => {
    const own = sides.flatMap((side) => {
      const found = side.pipelines.get(pipeline);
      return found === undefined ? [] : [{ side, ...found }];
    });
    const written = own.flatMap(({ parts }) => parts.flatMap(({ writes }) => writes));
    const isOpen = written.some(({ words, any }) => any === true && words.length === 0);
    return {
      tables: own.flatMap(({ side, writes }) =>
        writes.flatMap(({ table }) => {
          const name = side.tables.get(table)?.name;
          return name === undefined ? [] : [tableNameOf(name)];
        }),
      ),
      open: [
        ...own.flatMap(({ open }) =>
          open.flatMap(({ effect, name }) => (effect === 'write' ? [tableNameOf(name)] : [])),
        ),
        ...(isOpen ? [anyTable] : []),
      ],
      words: new Set(written.flatMap(({ words }) => words)),
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
