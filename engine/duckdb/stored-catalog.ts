import type { DuckDBConnection } from '@duckdb/node-api';
import type { Catalog, Column, Table, TableName } from '../core/relation.ts';
import type { WarehouseKind } from '../core/sql-type.ts';
import { declaredType } from './column-types.ts';
import { logicalSchema, physicalTable } from './physical-name.ts';

const tablesSql = `
SELECT c.schema_name, c.table_name, v.view_name IS NOT NULL, c.column_name, c.data_type, c.comment
FROM duckdb_columns() c
LEFT JOIN duckdb_views() v
  ON v.database_oid = c.database_oid AND v.schema_oid = c.schema_oid AND v.view_name = c.table_name
WHERE NOT c.internal AND c.database_name = current_database()
ORDER BY c.schema_name, c.table_name, c.column_index`;

/** The catalog as read last. Views and tables have their real names, columns their declared types. */
export class StoredCatalog implements Catalog {
  readonly #kind: WarehouseKind;
  #tables: ReadonlyMap<string, Table> = new Map();
  #byLowerCase: ReadonlyMap<string, Table> = new Map();

  constructor(kind: WarehouseKind) {
    this.#kind = kind;
  }

  find(name: TableName): Table | undefined {
    return this.#tables.get(physicalTable(name));
  }

  findIgnoringCase(name: TableName): Table | undefined {
    return this.#byLowerCase.get(physicalTable(name).toLowerCase());
  }

  all(): readonly Table[] {
    return [...this.#tables.values()].toSorted(
      (a, b) => compare(a.database, b.database) || compare(a.schema, b.schema) || compare(a.table, b.table),
    );
  }

  list(database: string, schema: string): readonly Table[] {
    return this.all().filter((table) => table.database === database && table.schema === schema);
  }

  async read(connection: DuckDBConnection): Promise<void> {
    const tables = new Map<string, Table & { readonly columns: Column[] }>();
    const reader = await connection.runAndReadAll(tablesSql);
    for (const row of reader.getRows()) {
      const [physical, table, isView, column, type, comment] = row;
      const place = logicalSchema(String(physical));
      if (place === undefined) continue;
      const name = { ...place, table: String(table) };
      const sql = physicalTable(name);
      const known = tables.get(sql) ?? {
        ...name,
        kind: isView === true ? 'view' : 'table',
        columns: [],
        sql,
      };
      const declared = declaredType(String(type), typeof comment === 'string' ? comment : null, this.#kind);
      known.columns.push({ name: String(column), type: declared });
      tables.set(sql, known);
    }
    this.#tables = tables;
    this.#byLowerCase = new Map([...tables].map(([sql, table]) => [sql.toLowerCase(), table]));
  }
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}
