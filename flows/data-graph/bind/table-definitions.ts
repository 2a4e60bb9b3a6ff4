import { type Column, describeType, type KnownTable, type TableWrite } from '../../../engine/index.ts';

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
