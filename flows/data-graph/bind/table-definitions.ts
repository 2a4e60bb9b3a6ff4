import {
  type Column,
  describeType,
  type KnownTable,
  type TableName,
  type TableWrite,
} from '../../../engine/index.ts';

/** A component that defines a table, with the pipeline that it is in. */
export interface Definition extends TableWrite {
  readonly pipeline: string;
}

/** What each component leaves of a table: of the statements of a script that create and alter it, what the last one makes. */
export function afterComponents(definitions: readonly Definition[]): readonly Definition[] {
  return [...Map.groupBy(definitions, ({ component }) => component).values()].flatMap((own) => {
    const last = own.at(-1);
    if (last?.columns === undefined || own.some(({ columns }) => columns === undefined)) return own;
    return [{ ...last, mode: own.some(({ mode }) => mode === 'define') ? ('define' as const) : last.mode }];
  });
}

/** The first column of each name. DuckDB does not tell names apart that differ in case only. */
export function firstOfEachName(columns: readonly Column[]): readonly Column[] {
  const byName = new Map<string, Column>();
  for (const column of columns) {
    const key = column.name.toLowerCase();
    if (!byName.has(key)) byName.set(key, column);
  }
  return [...byName.values()];
}

/** Whether all have the same columns, in the same order. */
export function areAlike([first, ...others]: readonly KnownTable[]): boolean {
  const text = (table: KnownTable | undefined) =>
    JSON.stringify(table?.columns.map(({ name, type }) => [name, describeType(type)]));
  return others.every((other) => text(other) === text(first));
}

/** What a look-up gave: equal texts mean the same knowledge. */
export interface Knowledge {
  readonly table: KnownTable | undefined;
  readonly text: string;
  /** The table below a view that a pipeline has left unreadable: the knowledge depends on its definitions. */
  readonly below?: TableName | undefined;
}

export function knowledgeOf(table: KnownTable | undefined): Knowledge {
  const { columns, areNamesComplete, areTypesKnown, unreadable } = table ?? {};
  return { table, text: JSON.stringify([columns, areNamesComplete, areTypesKnown, unreadable?.reason]) };
}

/** Whether nothing creates the table that these change. */
export function isCreatedNowhere(definitions: readonly Definition[]): boolean {
  return definitions.every(({ mode }) => mode === 'alter');
}

/** What a pipeline's definitions say about the columns, as a text. */
export function wayOf(definitions: readonly Definition[]): string {
  return JSON.stringify(definitions.map(({ columns, mode }) => [columns, mode]));
}

/** What definitions say, and where, as a text. */
export function contentOf(definitions: readonly Definition[] | undefined): string {
  return JSON.stringify(
    (definitions ?? []).map(({ columns, mode, component, place }) => [columns, mode, component, place.line]),
  );
}

/** Changes how many pipelines define a table in a way. */
export function addTo(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
