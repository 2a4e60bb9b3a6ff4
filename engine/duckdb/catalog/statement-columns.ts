import type { DuckDBPreparedStatement } from '@duckdb/node-api';
import type { Column } from '../../core/relation.ts';
import type { WarehouseKind } from '../../core/sql-type.ts';
import { warehouseType } from './column-types.ts';

/** The names and types of the columns that a statement returns. The types are types of the warehouse. */
export function statementColumns(statement: DuckDBPreparedStatement, kind: WarehouseKind): readonly Column[] {
  return statementTypes(statement).map(({ name, written }) => ({ name, type: warehouseType(written, kind) }));
}

/**
 * The names and types of the columns that a statement returns. The types are DuckDB types as DuckDB's catalog writes
 * them.
 */
export function statementTypes(
  statement: DuckDBPreparedStatement,
): readonly { readonly name: string; readonly written: string }[] {
  return Array.from({ length: statement.columnCount }, (_, index) => {
    const type = statement.columnType(index);
    return { name: statement.columnName(index), written: type.alias === 'JSON' ? 'JSON' : String(type) };
  });
}
