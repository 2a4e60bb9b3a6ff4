import type { Column } from '../../../../engine/core/relation.ts';
import { sourceText } from '../../../../engine/core/source-text.ts';
import type { WarehouseKind } from '../../../../engine/core/sql-type.ts';
import type { DialectContext } from '../../../../engine/core/dialect.ts';
import { translateQuery, translateScript } from '../../../../engine/dialect/translate.ts';
import { openWarehouse } from '../../../../engine/duckdb/open-warehouse.ts';
import type { Value, Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';

const columns: readonly Column[] = [
  { name: 'ID', type: { name: 'NUMBER', precision: 38, scale: 0 } },
  { name: 'NAME', type: { name: 'VARCHAR', length: 20 } },
  { name: 'AMOUNT', type: { name: 'NUMBER', precision: 10, scale: 2 } },
  { name: 'DAY', type: { name: 'DATE' } },
  { name: 'DOC', type: { name: 'VARIANT' } },
  { name: 'F', type: { name: 'FLOAT' } },
];
const columnsOfTwo: readonly Column[] = [
  { name: 'id', type: { name: 'INTEGER' } },
  { name: 'name', type: { name: 'VARCHAR', length: 20 } },
  { name: 'amount', type: { name: 'NUMBER', precision: 10, scale: 2 } },
  { name: 'day', type: { name: 'DATE' } },
  { name: 'doc', type: { name: 'VARIANT' } },
  { name: 'f', type: { name: 'FLOAT' } },
];
const rows: readonly (readonly Value[])[] = [
  [1, 'a', '10.50', '2024-01-31', { a: { b: 'x', n: null, k: [1, 2] } }, 2.5],
  [2, null, '3.00', '2024-02-29', { a: [] }, 1],
  [3, '5', null, null, null, null],
];

/** A warehouse with the table ORDERS, which the queries of these tests read. */
export async function openOrders(kind: WarehouseKind): Promise<Warehouse> {
  const warehouse = await openWarehouse({ kind, memoryLimit: '200MB' });
  const isOne = kind === 'WAREHOUSE_ONE';
  const name = isOne
    ? { database: 'DB', schema: 'S', table: 'ORDERS' }
    : { database: 'db', schema: 's', table: 'orders' };
  await warehouse.createTable(name, isOne ? columns : columnsOfTwo, rows);
  await warehouse.refresh();
  return warehouse;
}

export function contextOf(kind: WarehouseKind, warehouse: Warehouse): DialectContext {
  const table = { database: 'DB', schema: 'S', table: 'ORDERS' };
  const orders = warehouse.catalog.find(table);
  return {
    warehouse: kind,
    catalog: warehouse.catalog,
    defaults: kind === 'WAREHOUSE_ONE' ? { database: 'DB', schema: 'S' } : { database: 'db', schema: 's' },
    now: Date.UTC(2024, 4, 5, 6, 7, 8),
    components: new Map(orders ? [['Read orders (1)', orders]] : []),
  };
}

/** Translates a query, runs it, and returns its rows as compact JSON. */
export async function rowsOf(sql: string, kind: WarehouseKind, warehouse: Warehouse): Promise<string> {
  const query = translateQuery(sourceText(sql, 'query.sql'), contextOf(kind, warehouse));
  const result = await warehouse.query(query.sql, { maxRows: 100 });
  return JSON.stringify(result.rows);
}

/** Runs a script as a component does. */
export async function runScript(sql: string, kind: WarehouseKind, warehouse: Warehouse): Promise<void> {
  for (const statement of translateScript(sourceText(sql, 'script.sql'), contextOf(kind, warehouse))) {
    if (statement.kind === 'query') await warehouse.query(statement.query.sql, { maxRows: 1 });
    if (statement.kind !== 'change') continue;
    await warehouse.transaction(async () => {
      for (const each of statement.sql) await warehouse.run(each);
    });
    if (statement.definesTables) await warehouse.refresh();
  }
}
