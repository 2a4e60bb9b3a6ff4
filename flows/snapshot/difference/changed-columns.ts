import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { knownTypes } from '../../../lib/pipelines/model/component-types.ts';
import type { SnapshotDefinition, SnapshotRead, SnapshotTable } from '../snapshot.ts';
import { byLine } from './edges.ts';
import { partsOf } from './open-edges.ts';
import { type ProjectFacts, type TableName, tableNameOf } from './project-facts.ts';

const componentTypes: ReadonlySet<string> = new Set([
  ...knownTypes.orchestration,
  ...knownTypes.transformation,
]);

/** A component that writes or reads a table. */
export interface UsedAt {
  readonly pipeline: string;
  readonly file: string;
  readonly line: number;
}

/** A component that reads a changed column. `all`: it reads all columns; `unknown`: it names the table, but Millrace cannot analyse all of it. */
export interface ColumnReader extends UsedAt {
  readonly reads: 'column' | 'all' | 'unknown';
}

/** A column of a table that pipelines create, and that has changed. */
export interface ChangedColumn {
  readonly table: TableName;
  /** The old name; undefined if no pipeline creates the table any more. */
  readonly column: string | undefined;
  /** `renamed`: a new column of the same type is in its place, and all others are as they were. */
  readonly change: 'removed' | 'renamed' | 'retyped' | 'added' | 'dropped';
  /** The type before, of `removed` and `retyped`. */
  readonly before: string | undefined;
  /** The type now, of `added` and `retyped`; the new name, of `renamed`. */
  readonly after: string | undefined;
  /** What creates or alters the table: now, and before if nothing does any more. */
  readonly writers: readonly UsedAt[];
  readonly readers: readonly ColumnReader[];
}

/** A table whose definition changed, but whose columns are not all known. */
export interface UnknownColumns {
  readonly table: TableName;
  readonly writers: readonly UsedAt[];
}

/** A table that a pipeline creates now, and that none created before. */
export interface CreatedTable {
  readonly table: TableName;
  readonly writers: readonly UsedAt[];
  readonly readers: readonly ColumnReader[];
}

export interface ChangedTables {
  readonly columns: readonly ChangedColumn[];
  readonly unknown: readonly UnknownColumns[];
  readonly created: readonly CreatedTable[];
}

/**
 * Finds the tables that a change creates or no longer creates, and the columns that it adds, removes, renames or
 * gives another type, with the components that read them.
 */
export function changedTables(now: ProjectFacts, before: ProjectFacts): ChangedTables {
  const [columns, unknown, created]: [ChangedColumn[], UnknownColumns[], CreatedTable[]] = [[], [], []];
  const areKnown = [now, before].every(({ snapshot }) => snapshot.columns === 'known');
  const readersOf = columnReaders(now, before);
  for (const key of definedTables(now, before)) {
    const name = (now.tables.get(key) ?? before.tables.get(key))?.name;
    if (name === undefined) continue;
    const table = tableNameOf(name);
    const [definitions, old] = [now.definitionsOf(key), before.definitionsOf(key)];
    if (contentOf(definitions, areKnown) === contentOf(old, areKnown)) continue;
    const writers = placesOf(definitions.length > 0 ? definitions : old);
    if (before.isOutside(key)) {
      // Code that names the table may have created it before.
      if (!now.isOutside(key) && !isMentionedOn(before, key, now))
        created.push({ table, writers, readers: readersOf(key, undefined) });
    } else if (now.isOutside(key)) {
      if (isMentionedOn(now, key, before)) unknown.push({ table, writers });
      else
        columns.push({
          table,
          column: undefined,
          change: 'dropped',
          before: undefined,
          after: undefined,
          writers,
          readers: readersOf(key, undefined),
        });
    } else {
      const [known, was] = [now.tables.get(key), before.tables.get(key)];
      if (!areKnown || known?.complete !== true || was?.complete !== true) unknown.push({ table, writers });
      else
        for (const change of differences(known, was))
          columns.push({ table, ...change, writers, readers: readersOf(key, change.column) });
    }
  }
  return { columns, unknown, created };
}

/**
 * Whether code that cannot be bound may define a table on one side. A snapshot knows it of the tables that it has: of others, the code of the
 * other side names them, or what defines them there cannot be read here, or is of a type that nobody knows.
 */
function isMentionedOn(side: ProjectFacts, table: string, other: ProjectFacts): boolean {
  if (side.tables.has(table)) return side.isMentioned(table);
  return (
    other.isMentioned(table) ||
    other.definitionsOf(table).some(({ pipeline, component }) => {
      const { unreadable, components = [] } = side.pipelines.get(pipeline) ?? {};
      const type = components.find(({ name }) => name === component)?.type;
      return unreadable !== undefined || (type !== undefined && !componentTypes.has(type));
    })
  );
}

/** The keys of all tables that a pipeline defines, in the order of their names. */
function definedTables(...sides: readonly ProjectFacts[]): readonly string[] {
  const keys = new Set<string>();
  for (const { pipelines } of sides)
    for (const { writes } of pipelines.values())
      for (const { table, mode } of writes) if (mode === 'define' || mode === 'alter') keys.add(table);
  return [...keys].toSorted(compareTexts);
}

function contentOf(definitions: readonly SnapshotDefinition[], areColumnsKnown: boolean): string {
  const contents = definitions.map(
    ({ pipeline, component, mode, digest }) =>
      `${pipeline}\n${component}\n${mode}\n${areColumnsKnown ? digest : ''}`,
  );
  return contents.length < 2 ? (contents[0] ?? '') : contents.toSorted().join('\n');
}

export function placesOf(definitions: readonly SnapshotDefinition[]): readonly UsedAt[] {
  return definitions
    .map(({ pipeline, file = pipeline, line }) => ({ pipeline, file, line }))
    .toSorted((a, b) => compareTexts(a.pipeline, b.pipeline) || a.line - b.line);
}

type Difference = Pick<ChangedColumn, 'change' | 'before' | 'after'> & { readonly column: string };
type Columns = NonNullable<SnapshotTable['columns']>;

function differences(
  { columns: now = [], typed }: SnapshotTable,
  { columns: old = [], typed: wasTyped }: SnapshotTable,
): readonly Difference[] {
  const renamed = renamedColumn(now, old);
  if (renamed !== undefined) return [renamed];
  const [types, oldTypes] = [new Map(now), new Map(old)];
  const areTypesKnown = typed === true && wasTyped === true;
  const lost = [...oldTypes].flatMap(([column, before]): Difference[] => {
    const after = types.get(column);
    if (after === undefined) return [{ column, change: 'removed', before, after }];
    return after === before || !areTypesKnown ? [] : [{ column, change: 'retyped', before, after }];
  });
  const added = [...types].filter(([column]) => !oldTypes.has(column));
  return [
    ...lost,
    ...added.map(([column, after]) => ({ column, change: 'added' as const, before: undefined, after })),
  ];
}

/** The one column that has another name, if nothing else differs. */
function renamedColumn(now: Columns, old: Columns): Difference | undefined {
  if (now.length !== old.length) return undefined;
  const pairs = old.map((before, index) => ({ before, after: now[index] ?? before }));
  if (pairs.some(({ before: [, type], after: [, other] }) => type !== other)) return undefined;
  const [pair, ...more] = pairs.filter(({ before: [name], after: [other] }) => name !== other);
  if (pair === undefined || more.length > 0) return undefined;
  return { column: pair.before[0], change: 'renamed', before: undefined, after: pair.after[0] };
}

/** Gives the components that read a column of a table; without a column, those that read the table. */
function columnReaders(
  now: ProjectFacts,
  before: ProjectFacts,
): (table: string, column: string | undefined) => readonly ColumnReader[] {
  const reads = [...now.pipelines.values()].flatMap(({ path: pipeline, reads: own }) =>
    byLine(own).map((read) => ({ pipeline, read })),
  );
  const byTable = Map.groupBy(reads, ({ read }) => read.table);
  const parts = partsOf(now, before);
  const isSame = sameComponents(now, before);
  return (table, column) => {
    const word = ((now.tables.get(table) ?? before.tables.get(table))?.name[2] ?? '').toLowerCase();
    const readers = new Map<string, ColumnReader>();
    const add = (pipeline: string, at: Pick<UsedAt, 'file' | 'line'>, kind: ColumnReader['reads']) => {
      const { file, line } = at;
      const key = JSON.stringify([file, line]);
      if (!readers.has(key)) readers.set(key, { pipeline, file, line, reads: kind });
    };
    const known = byTable.get(table) ?? [];
    for (const { pipeline, read } of known) {
      const kind =
        column === undefined
          ? 'column'
          : kindOfRead(read, column, readBefore(pipeline, read, before), () =>
              isSame(pipeline, read.component),
            );
      if (kind !== undefined) add(pipeline, { file: read.file ?? pipeline, line: read.line }, kind);
    }
    for (const { pipeline, line, component, words } of parts) {
      const isKnown = known.some((each) => each.pipeline === pipeline && each.read.component === component);
      if (!isKnown && words.includes(word)) add(pipeline, { file: pipeline, line }, 'unknown');
    }
    return [...readers.values()].toSorted((a, b) => compareTexts(a.file, b.file) || a.line - b.line);
  };
}

/** The same component at the base, if it could be bound there. */
function readBefore(
  pipeline: string,
  { component, table }: SnapshotRead,
  before: ProjectFacts,
): SnapshotRead | undefined {
  return byLine(before.pipelines.get(pipeline)?.reads ?? []).find(
    (each) => each.unbound !== true && each.component === component && each.table === table,
  );
}

/** A component that cannot be bound any more, or that is as it was, reads what it read before. */
function kindOfRead(
  { columns, all, unbound }: SnapshotRead,
  column: string,
  before: SnapshotRead | undefined,
  isSame: () => boolean,
): ColumnReader['reads'] | undefined {
  if (columns.includes(column)) return 'column';
  const isBound = unbound !== true;
  const wasRead = before?.columns.includes(column) === true;
  if (wasRead && (!isBound || isSame())) return 'column';
  if (all === true || (!isBound && before?.all === true)) return 'all';
  return isBound || before !== undefined ? undefined : 'unknown';
}

/** Tells whether a component means the same on both sides, with its script. */
function sameComponents(
  now: ProjectFacts,
  before: ProjectFacts,
): (pipeline: string, component: string) => boolean {
  const meaning = ({ pipelines, snapshot }: ProjectFacts) => {
    const files = new Map(snapshot.files.map(({ path, digest }) => [path, digest]));
    return (pipeline: string, component: string): string | undefined => {
      const { components = [], scripts = [] } = pipelines.get(pipeline) ?? {};
      const found = components.find(({ name }) => name === component);
      const script = scripts.find((each) => each.component === component)?.path;
      return found && `${found.digest} ${script === undefined ? '' : files.get(script)}`;
    };
  };
  const [own, old] = [meaning(now), meaning(before)];
  return (pipeline, component) => {
    const is = own(pipeline, component);
    return is !== undefined && is === old(pipeline, component);
  };
}
