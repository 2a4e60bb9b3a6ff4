import type { Column, TableName } from '../core/relation.ts';
import type { WarehouseKind } from '../core/sql-type.ts';

/** What a streaming pipeline writes into the warehouse (`transformationType`, spec §2.5). */
export type Transformation = 'CHANGE_LOG' | 'COPY_TABLE' | 'COPY_TABLE_SOFT_DELETE';

/** How the tables of the target are named (`tablePrefixType`, spec §2.5). */
export type PrefixType = 'PREFIX' | 'SOURCE_DATABASE_AND_SCHEMA' | 'NONE';

/** The column of COPY_TABLE_SOFT_DELETE that says whether the source has deleted the row. */
export const DELETED = 'IS_DELETED';

interface Naming {
  readonly kind: WarehouseKind;
  readonly prefixType: PrefixType;
  /** For `PREFIX`. */
  readonly prefix: string;
  readonly sourceDatabase: string;
  /** The database and the schema of the target, as the definition writes them. */
  readonly database: string;
  readonly schema: string;
}

/** The table of the target for a table of the source. */
export function targetName(
  source: { readonly schema: string; readonly table: string },
  naming: Naming,
): TableName {
  const { kind, prefixType, prefix, sourceDatabase } = naming;
  const parts =
    prefixType === 'SOURCE_DATABASE_AND_SCHEMA'
      ? [sourceDatabase, source.schema, source.table]
      : prefixType === 'PREFIX' && prefix !== ''
        ? [prefix, source.table]
        : [source.table];
  return {
    database: foldName(naming.database, kind),
    schema: foldName(naming.schema, kind),
    table: parts.map((part) => foldName(part, kind)).join('_'),
  };
}

/**
 * The name that a pipeline finds without quotes, if there is one. PostgreSQL folds names to lower case, `WAREHOUSE_ONE` to
 * upper case: there, a name with capital letters was quoted in the source, and stays. `WAREHOUSE_TWO` has lower case only.
 */
export function foldName(name: string, kind: WarehouseKind): string {
  if (kind === 'WAREHOUSE_TWO') return name.toLowerCase();
  return name === name.toLowerCase() ? name.toUpperCase() : name;
}

/** The columns of a change log: they do not depend on the source table, whose columns may change. */
export function changeLogColumns(kind: WarehouseKind): readonly Column[] {
  const whole =
    kind === 'WAREHOUSE_TWO'
      ? ({ name: 'BIGINT' } as const)
      : ({ name: 'NUMBER', precision: 38, scale: 0 } as const);
  const columns: readonly Column[] = [
    { name: 'OPERATION', type: { name: 'VARCHAR', length: 8 } },
    { name: 'BEFORE', type: { name: 'VARIANT' } },
    { name: 'AFTER', type: { name: 'VARIANT' } },
    { name: 'POSITION', type: whole },
    { name: 'TRANSACTION_ORDER', type: whole },
    { name: 'COMMITTED_AT', type: { name: 'TIMESTAMP_TZ', isUtc: true, isLocal: true } },
  ];
  return columns.map((column) => ({ ...column, name: columnName(column.name, kind) }));
}

/** One of our own column names. */
export function columnName(name: string, kind: WarehouseKind): string {
  return kind === 'WAREHOUSE_ONE' ? name : name.toLowerCase();
}
