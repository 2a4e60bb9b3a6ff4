import {
  type Column,
  type EngineSettings,
  type Execution,
  type ExecutionState,
  type Mock,
  openWarehouse,
  type Python,
  type Value,
  type Warehouse,
  type WarehouseKind,
} from '../../../engine/index.ts';
import { type Options, start } from './execute.ts';

export const NUMBER = { name: 'NUMBER', precision: 38, scale: 0 } as const;
export const TEXT = { name: 'VARCHAR', length: undefined } as const;

/** One schema of a warehouse: each test has its own, so that tests share the warehouse. */
export interface TestSchema {
  readonly engine: EngineSettings;
  readonly warehouse: Warehouse;
  create(
    table: string,
    columns: Readonly<Record<string, Column['type']>>,
    rows: readonly (readonly Value[])[],
  ): Promise<void>;
  /** The rows of a table, sorted by all columns. */
  rows(table: string): Promise<readonly (readonly Value[])[]>;
  columns(table: string): readonly Column[];
  has(table: string): boolean;
  /** Starts an execution of `main`. */
  start(files: Readonly<Record<string, string>>, options?: WarehouseOptions): Execution;
  /** Runs one to its end. */
  run(files: Readonly<Record<string, string>>, options?: WarehouseOptions): Promise<Done>;
}

export interface WarehouseOptions extends Omit<Options, 'engine'> {
  readonly mocks?: Readonly<Record<string, Mock>>;
  readonly python?: Python;
}

export interface Done {
  readonly state: ExecutionState;
  variable(name: string): unknown;
}

export async function openTestWarehouse(kind: WarehouseKind = 'WAREHOUSE_ONE') {
  const warehouse = await openWarehouse({ kind, memoryLimit: '300MB' });
  let count = 0;
  return {
    warehouse,
    schema: () => testSchema(warehouse, kind, `S${(count += 1)}`),
    [Symbol.asyncDispose]: () => warehouse[Symbol.asyncDispose](),
  };
}

function testSchema(warehouse: Warehouse, kind: WarehouseKind, name: string): TestSchema {
  const defaults =
    kind === 'WAREHOUSE_ONE'
      ? { database: 'DB', schema: name }
      : { database: 'db', schema: name.toLowerCase() };
  const engine = { warehouse, kind, defaults, countsReads: true };
  const find = (table: string) => {
    const entry = warehouse.catalog.find({ ...defaults, table });
    if (entry === undefined) throw new Error(`no table ${table}`);
    return entry;
  };
  const begin: TestSchema['start'] = (files, { mocks = {}, python, ...options } = {}) =>
    start(files, { ...options, engine: { ...engine, mocks: new Map(Object.entries(mocks)), python } })
      .execution;
  return {
    engine,
    warehouse,
    async create(table, columns, rows) {
      const list = Object.entries(columns).map(([column, type]) => ({ name: column, type }));
      await warehouse.createTable({ ...defaults, table }, list, rows);
    },
    async rows(table) {
      const result = await warehouse.query(`SELECT * FROM ${find(table).sql} ORDER BY ALL`, {
        maxRows: 1_000,
      });
      return result.rows;
    },
    columns: (table) => find(table).columns,
    has: (table) => warehouse.catalog.find({ ...defaults, table }) !== undefined,
    start: begin,
    async run(files, options) {
      const execution = begin(files, options);
      const state = await execution.ended;
      return { state, variable: (variable) => execution.variables().get(variable)?.value };
    },
  };
}
