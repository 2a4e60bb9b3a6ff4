import type { Warehouse, WarehouseKind } from '../../../engine/index.ts';
import type { DescribedTable } from '../source/source.ts';
import { ChangeLogWriter } from './change-log-writer.ts';
import type { TemporalMapping } from './column-type.ts';
import { CopyWriter } from './copy-writer.ts';
import type { TableWriter } from './table-writer.ts';
import { TargetFailure } from './target-failure.ts';
import { type PrefixType, targetName, type Transformation } from '../../../engine/index.ts';

/** The settings of a definition about its target (`streamingTarget`, spec §2.5). */
export interface TargetOptions {
  readonly database: string;
  readonly schema: string;
  readonly sourceDatabase: string;
  readonly prefixType: PrefixType;
  readonly prefix: string;
  readonly transformation: Transformation;
  readonly temporal: TemporalMapping;
}

export interface TableInTarget {
  /** The source table: `public.orders`. */
  readonly key: string;
  readonly described: DescribedTable;
  readonly writer: TableWriter;
}

/** The writers of all tables, by their names in the source. */
export type Writers = ReadonlyMap<string, TableInTarget>;

/** The name of a source table in messages and as a key. */
export function tableKey({ schema, table }: { readonly schema: string; readonly table: string }): string {
  return `${schema}.${table}`;
}

/** Creates the writers of all tables. Throws TargetFailure if two source tables would be written to the same table. */
export function createWriters(
  tables: readonly DescribedTable[],
  options: TargetOptions & { readonly warehouse: Warehouse; readonly kind: WarehouseKind },
): Writers {
  const { warehouse, kind, temporal, transformation } = options;
  const names = new Map<string, string>();
  const writers = new Map<string, TableInTarget>();
  for (const described of tables) {
    const key = tableKey(described);
    const target = targetName(described, options);
    const other = names.get(target.table.toLowerCase());
    if (other !== undefined) {
      throw new TargetFailure(
        `The tables ${other} and ${key} would both be written into ${target.schema}.${target.table}.`,
        'Capture one of them in a pipeline of its own, with the `tablePrefixType` PREFIX and another `stagePrefix`.',
      );
    }
    names.set(target.table.toLowerCase(), key);
    const primaryKey = described.columns.flatMap((column) => (column.isKey ? [column.name] : []));
    const common = { warehouse, kind, temporal, target };
    const writer =
      transformation === 'CHANGE_LOG'
        ? new ChangeLogWriter(common)
        : new CopyWriter({
            ...common,
            source: key,
            primaryKey,
            keepsDeleted: transformation === 'COPY_TABLE_SOFT_DELETE',
          });
    writers.set(key, { key, described, writer });
  }
  return writers;
}
