import type { Column, TableName } from '../core/relation.ts';
import type { WarehouseKind } from '../core/sql-type.ts';

/** The way in which a streaming pipeline writes changes into the warehouse (`transformationType`, spec §2.5). */
export type Transformation = 'CHANGE_LOG' | 'COPY_TABLE' | 'COPY_TABLE_SOFT_DELETE';

/** How a streaming pipeline names the tables in the warehouse (`tablePrefixType`, spec §2.5). */
export type PrefixType = 'PREFIX' | 'SOURCE_DATABASE_AND_SCHEMA' | 'NONE';

/** The column in a table written with COPY_TABLE_SOFT_DELETE that says whether the row was deleted in the source. */
export const DELETED = 'IS_DELETED';

interface Naming {
  readonly kind: WarehouseKind;
  readonly prefixType: PrefixType;
  /** The prefix, if the prefix type is `PREFIX`. */
  readonly prefix: string;
  readonly sourceDatabase: string;
  /** The database and the schema of the target, as the definition spells them. */
  readonly database: string;
  readonly schema: string;
}

/** The name of the table in the warehouse that corresponds to a table of the source. */
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
 * The name under which SQL without quotes finds a table or column. PostgreSQL converts names to lower case, and
 * `WAREHOUSE_ONE` to upper case. In `WAREHOUSE_ONE`, a name with capital letters was quoted in the source and stays
 * as it is. In `WAREHOUSE_TWO`, names are always in lower case.
 */
export function foldName(name: string, kind: WarehouseKind): string {
  if (kind === 'WAREHOUSE_TWO') return name.toLowerCase();
  return name === name.toLowerCase() ? name.toUpperCase() : name;
}

/** The columns of a change log. They do not depend on the columns of the source table, which may change. */
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

/**
 * The name of a column that Millrace itself adds: in upper case for `WAREHOUSE_ONE`, in lower case for
 * `WAREHOUSE_TWO`.
 */
export function columnName(name: string, kind: WarehouseKind): string {
  return kind === 'WAREHOUSE_ONE' ? name : name.toLowerCase();
}
