import type { Column, Table, TableName, Warehouse } from '../../../engine/index.ts';
import type { RowValue } from '../../../engine/index.ts';
import { columnName } from '../../../engine/index.ts';
import type { WarehouseKind } from '../../../engine/index.ts';

/**
 * The separate table that receives the rows of a snapshot. The target's table keeps its old rows until the snapshot
 * is complete, so that no pipeline ever reads half of one.
 */
export class SnapshotTable {
  readonly #warehouse: Warehouse;
  readonly #name: TableName;
  #table: Table | undefined;

  constructor(warehouse: Warehouse, target: TableName, kind: WarehouseKind) {
    this.#warehouse = warehouse;
    this.#name = { ...target, table: `${target.table}${columnName('_INCOMPLETE_SNAPSHOT', kind)}` };
  }

  /** Creates the table, without rows. */
  async begin(columns: readonly Column[]): Promise<void> {
    this.#table = await this.#warehouse.createTable(this.#name, columns, []);
  }

  add(rows: readonly (readonly RowValue[])[]): Promise<void> {
    const table = this.#begun();
    return this.#warehouse.changeRows(table, { columns: table.columns, key: [], removed: [], added: rows });
  }

  /** How DuckDB's SQL names the table. */
  get sql(): string {
    return this.#begun().sql;
  }

  async end(): Promise<void> {
    await this.#warehouse.run(`DROP TABLE ${this.sql}`);
    this.#table = undefined;
    await this.#warehouse.refresh();
  }

  /** Drops what an interrupted snapshot has left. */
  async discard(): Promise<void> {
    await this.#warehouse.refresh();
    const rest = this.#warehouse.catalog.find(this.#name);
    if (rest === undefined) return;
    await this.#warehouse.run(`DROP TABLE ${rest.sql}`);
    await this.#warehouse.refresh();
  }

  #begun(): Table {
    if (this.#table === undefined) throw new Error('no snapshot has begun');
    return this.#table;
  }
}
