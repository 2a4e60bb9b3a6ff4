import type { DuckDBPreparedStatement } from '@duckdb/node-api';
import type { Column } from '../../core/relation.ts';
import type { WarehouseKind } from '../../core/sql-type.ts';
import { warehouseType } from './column-types.ts';

/** The output columns of a statement. */
export function statementColumns(statement: DuckDBPreparedStatement, kind: WarehouseKind): readonly Column[] {
  return Array.from({ length: statement.columnCount }, (_, index) => {
    const type = statement.columnType(index);
    const written = type.alias === 'JSON' ? 'JSON' : String(type);
    return { name: statement.columnName(index), type: warehouseType(written, kind) };
  });
}
