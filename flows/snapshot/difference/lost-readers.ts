import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { listText } from '../../../lib/core/text/list-text.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';

/** A component that could not be bound. */
export interface UnboundComponent {
  readonly component: string;
  readonly reason: string;
  /** The reason is only that a source could not be bound. */
  readonly isAfterOther: boolean;
  /** The keys of the tables that it uses. */
  readonly tables: readonly string[];
}

/** A component that reads a table. */
export interface ComponentRead {
  readonly component: string;
  /** The key of the table. */
  readonly table: string;
  readonly columns: readonly string[];
  readonly readsAll: boolean;
}

/** A component that creates or alters a table. */
export interface TableMaker {
  readonly pipeline: string;
  readonly component: string;
  readonly isCreator: boolean;
  /** All columns after it, as a text: equal texts mean the same columns. */
  readonly content: string;
}

/** A project before or after a change: a snapshot, or what was bound now. */
export interface BoundSide<
  Maker extends TableMaker,
  Unbound extends UnboundComponent,
  Read extends ComponentRead,
> {
  readonly pipelines: ReadonlyMap<
    string,
    { readonly unknown: readonly Unbound[]; readonly reads: readonly Read[]; readonly isUnreadable: boolean }
  >;
  /** Asked for each read: the same list for the same table. */
  makersOf(table: string): readonly Maker[];
  /** Names and types. */
  columnsOf(table: string): ReadonlyMap<string, string>;
  /** The table's name without database and schema. */
  nameOf(table: string): string;
  isMentioned(table: string): boolean;
}

/** A column that a component took away, or gave another type, and the components that cannot be bound for this reason. */
export interface LostColumn<Maker, Reader> {
  readonly maker: Maker;
  readonly column: string;
  /** The change, as the beginning of a sentence. */
  readonly what: string;
  readonly isGone: boolean;
  readonly readers: readonly Reader[];
}

/** A read of a table that nothing creates any more. */
export interface LostTable<Read> {
  readonly pipeline: string;
  readonly read: Read;
  readonly message: string;
}

type InPipeline<Item> = Item & { readonly pipeline: string };

/** The columns that a change takes away from components that could be bound before. */
export function lostColumns<M extends TableMaker, U extends UnboundComponent, R extends ComponentRead>(
  now: BoundSide<M, U, R>,
  before: BoundSide<M, U, R>,
): readonly LostColumn<M, InPipeline<U>>[] {
  const lost = new Map<string, LostColumn<M, InPipeline<U>> & { readonly readers: InPipeline<U>[] }>();
  for (const reader of lostReaders(now, before))
    for (const change of changesOf(reader, now, before)) {
      const { pipeline, component } = change.maker;
      const key = JSON.stringify([pipeline, component, change.what]);
      const known = lost.get(key) ?? { ...change, readers: [] };
      lost.set(key, known);
      known.readers.push(reader);
    }
  return [...lost.values()];
}

function lostReaders<M extends TableMaker, U extends UnboundComponent, R extends ComponentRead>(
  now: BoundSide<M, U, R>,
  before: BoundSide<M, U, R>,
): readonly InPipeline<U>[] {
  const keyOf = ({ component, reason }: UnboundComponent) => JSON.stringify([component, reason]);
  return [...now.pipelines].flatMap(([pipeline, { unknown }]) => {
    const old = before.pipelines.get(pipeline);
    if (old === undefined) return [];
    const unbound = new Set(old.unknown.map(keyOf));
    return unknown
      .filter((each) => !each.isAfterOther && !unbound.has(keyOf(each)))
      .map((each) => ({ ...each, pipeline }));
  });
}

/** The components that took columns away that a lost reader needs, or changed their types. */
function changesOf<M extends TableMaker, U extends UnboundComponent, R extends ComponentRead>(
  { pipeline, component, tables }: InPipeline<U>,
  now: BoundSide<M, U, R>,
  before: BoundSide<M, U, R>,
): readonly Omit<LostColumn<M, never>, 'readers'>[] {
  const changes = tables.flatMap((table) => {
    const [types, old] = [now.columnsOf(table), before.columnsOf(table)];
    const read = new Set(
      (before.pipelines.get(pipeline)?.reads ?? [])
        .filter((each) => each.component === component && each.table === table)
        .flatMap(({ columns, readsAll }) => (readsAll ? [...columns, ...old.keys()] : columns)),
    );
    const makers = now.makersOf(table).filter((maker) => isChangedMaker(table, maker, before));
    return [...old].flatMap(([column, type]) => {
      const other = types.get(column);
      if (!read.has(column) || other === type) return [];
      const text = `"${now.nameOf(table)}"`;
      const what =
        other === undefined
          ? `${text} no longer has the column "${column}"`
          : `the column "${column}" of ${text} is ${other} instead of ${type}`;
      return makers.map((maker) => ({ maker, column, what, isGone: other === undefined }));
    });
  });
  // What is gone explains more than a type that has changed beside it.
  const gone = changes.filter(({ isGone }) => isGone);
  return gone.length > 0 ? gone : changes;
}

/** Whether a component defines other columns than before. */
export function isChangedMaker(
  table: string,
  { pipeline, component, content }: TableMaker,
  before: Pick<BoundSide<TableMaker, UnboundComponent, ComponentRead>, 'makersOf'>,
): boolean {
  const old = before
    .makersOf(table)
    .find((each) => each.pipeline === pipeline && each.component === component);
  return old?.content !== content;
}

/** What is wrong with a lost column, and how to fix it. `readers`: their names, with file and line. */
export function lostColumnMessage(
  { what, isGone }: Pick<LostColumn<unknown, unknown>, 'what' | 'isGone'>,
  readers: readonly string[],
  reason: string,
): string {
  if (!isGone) return `${what}, and ${listText(readers)} cannot use it: ${reason}`;
  const [read, these] = readers.length === 1 ? ['reads', 'this reader'] : ['read', 'these readers'];
  return `${what}, which ${listText(readers)} ${read}; write the column again, or change ${these} too`;
}

/** Reads of tables that nothing creates any more. */
export function lostTables<M extends TableMaker, U extends UnboundComponent, R extends ComponentRead>(
  now: BoundSide<M, U, R>,
  before: BoundSide<M, U, R>,
): readonly LostTable<R>[] {
  return [...now.pipelines].flatMap(([pipeline, { reads }]) =>
    reads.flatMap((read): readonly LostTable<R>[] => {
      const { table } = read;
      const creators = before.makersOf(table).filter(({ isCreator }) => isCreator);
      if (creators.length === 0 || now.makersOf(table).some(({ isCreator }) => isCreator)) return [];
      if (now.isMentioned(table) || creators.some((creator) => mayCreate(creator, now))) return [];
      const names = [...new Set(creators.map((creator) => withoutSuffix(creator.pipeline)))].toSorted(
        compareTexts,
      );
      const message = `no pipeline creates the table "${before.nameOf(table)}" any more; ${listText(names)} did: create it again, or remove this reader`;
      return [{ pipeline, read, message }];
    }),
  );
}

/** Whether the component that created a table still exists, and may create one whose name is not known. */
function mayCreate(
  { pipeline, component }: TableMaker,
  now: BoundSide<TableMaker, UnboundComponent, ComponentRead>,
): boolean {
  const found = now.pipelines.get(pipeline);
  if (found === undefined) return false;
  return found.isUnreadable || found.unknown.some((each) => each.component === component);
}

/** The makers of each table, listed once. */
export function listedOnce<Maker>(
  list: (table: string) => readonly Maker[],
): (table: string) => readonly Maker[] {
  const listed = new Map<string, readonly Maker[]>();
  return (table) => {
    const makers = listed.get(table) ?? list(table);
    listed.set(table, makers);
    return makers;
  };
}
