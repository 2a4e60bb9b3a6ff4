import type { ColumnLineage, TableName, WriteLineage } from '../../../engine/index.ts';
import type { Definition } from '../bind/table-definitions.ts';

/** What a streaming pipeline writes to a table. `pipeline` is the path of its definition. */
export interface StreamedWrite extends WriteLineage {
  readonly table: TableName;
  readonly pipeline: string;
}

const copied = 'a streaming pipeline copies it from its source, which is outside of the project';

/**
 * The columns that a streaming pipeline adds come from no column; the others come from its source.
 * @param columnsOf the columns of a table as far as they are known
 */
export function streamedWrites(
  definitions: readonly Definition[],
  columnsOf: (table: TableName) => readonly string[],
): readonly StreamedWrite[] {
  return definitions.flatMap(({ table, pipeline, component, place, mode, columns }) => {
    const added = columns?.columns.map(({ name }) => name) ?? [];
    const others = columnsOf(table).filter((name) => !added.includes(name));
    const write = { table, pipeline, component, place, mode, rows: [], tables: [] };
    return [
      { ...write, columns: added.map(fromNoColumn), unknown: [] },
      { ...write, columns: others.map(fromNoColumn), unknown: [copied] },
    ].filter((each) => each.columns.length > 0);
  });
}

function fromNoColumn(name: string): ColumnLineage {
  return { name, values: [], choices: [], computedIn: [] };
}
