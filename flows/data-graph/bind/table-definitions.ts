import {
  type Column,
  describeType,
  type KnownTable,
  type TableName,
  type TableWrite,
} from '../../../engine/index.ts';

/** The name of a table as a key for maps. */
export function tableKey({ database, schema, table }: TableName): string {
  return JSON.stringify([database, schema, table]);
}

/** A component that creates or alters a table, and its pipeline. */
export interface Definition extends TableWrite {
  readonly pipeline: string;
}

/** The definitions that remain after each component: of several statements of one script, the last one. */
export function afterComponents(definitions: readonly Definition[]): readonly Definition[] {
  return [...Map.groupBy(definitions, ({ component }) => component).values()].flatMap((own) => {
    const last = own.at(-1);
    if (last?.columns === undefined || own.some(({ columns }) => columns === undefined)) return own;
    return [{ ...last, mode: own.some(({ mode }) => mode === 'define') ? ('define' as const) : last.mode }];
  });
}

/** Keeps the first column of each name. Names that differ only in case count as equal, as in DuckDB. */
export function firstOfEachName(columns: readonly Column[]): readonly Column[] {
  const byName = new Map<string, Column>();
  for (const column of columns) {
    const key = column.name.toLowerCase();
    if (!byName.has(key)) byName.set(key, column);
  }
  return [...byName.values()];
}

/** Whether all definitions have the same columns in the same order. */
export function areAlike([first, ...others]: readonly KnownTable[]): boolean {
  const text = (table: KnownTable | undefined) =>
    JSON.stringify(table?.columns.map(({ name, type }) => [name, describeType(type)]));
  return others.every((other) => text(other) === text(first));
}

/** The result of a look-up as a text; equal texts mean equal results. */
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

/** Whether nothing creates the table that these definitions change. */
export function isCreatedNowhere(definitions: readonly Definition[]): boolean {
  return definitions.every(({ mode }) => mode === 'alter');
}

/** A text for what a pipeline's definitions say about the columns of a table. */
export function wayOf(definitions: readonly Definition[]): string {
  return JSON.stringify(definitions.map(({ columns, mode }) => [columns, mode]));
}

/** A text for what definitions say, and at which places. */
export function contentOf(definitions: readonly Definition[] | undefined): string {
  return JSON.stringify(
    (definitions ?? []).map(({ columns, mode, component, place }) => [columns, mode, component, place.line]),
  );
}

/** Adds to the number of pipelines that define a table in a certain way. */
export function addTo(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
