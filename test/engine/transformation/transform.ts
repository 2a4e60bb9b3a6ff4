import type { Column, Table, TableName } from '../../../engine/core/relation.ts';
import type { WarehouseKind } from '../../../engine/core/sql-type.ts';
import type { RowsOutput } from '../../../engine/components/component-type.ts';
import { openWarehouse } from '../../../engine/duckdb/open-warehouse.ts';
import type { Rows, Value, Warehouse } from '../../../engine/duckdb/connection/warehouse.ts';
import { sourceOrder } from '../../../engine/execution/walk/source-order.ts';
import { expressionScope, type PipelineVariable } from '../../../engine/parameters/expression-scope.ts';
import {
  type ComponentResult,
  openTransformation,
} from '../../../engine/transformation/open-transformation.ts';
import { readPipeline } from '../../../lib/pipelines/model/read-pipeline.ts';

/** A table before the run: its columns as `name: type`, with the types of `TypeText`. */
export interface GivenTable {
  readonly columns: Readonly<Record<string, Column['type']>>;
  readonly rows: readonly (readonly Value[])[];
}

export const NUMBER = { name: 'NUMBER', precision: 38, scale: 0 } as const;
export const TEXT = { name: 'VARCHAR', length: undefined } as const;
export const FLOAT = { name: 'FLOAT' } as const;
export const BOOLEAN = { name: 'BOOLEAN' } as const;
export const DATE = { name: 'DATE' } as const;
export const TIMESTAMP = { name: 'TIMESTAMP' } as const;
export const VARIANT = { name: 'VARIANT' } as const;
export function decimal(precision: number, scale: number): Column['type'] {
  return { name: 'NUMBER', precision, scale };
}

export interface TransformOptions {
  readonly kind?: WarehouseKind;
  readonly tables?: Readonly<Record<string, GivenTable>>;
  readonly variables?: Readonly<Record<string, PipelineVariable>>;
  readonly outputs?: ReadonlyMap<string, RowsOutput>;
  readonly now?: number;
  /** Runs on this warehouse, which stays open; by default on one of its own. */
  readonly warehouse?: Warehouse;
}

/** A transformation that ran. Disposing it closes its warehouse, unless that was given. */
export interface Transformed extends AsyncDisposable {
  readonly warehouse: Warehouse;
  readonly results: ReadonlyMap<string, ComponentResult>;
  /** The table as it is now. */
  table(name: string): Table | undefined;
  /** The rows of a table, sorted by all columns. */
  rows(name: string): Promise<readonly (readonly Value[])[]>;
  read(name: string): Promise<Rows>;
}

/**
 * Runs the components of a transformation (`components:` of its file, as YAML) over the tables `DB.S.name`. Rejects
 * with the ComponentFailure of the first component that fails.
 */
export async function transform(components: string, options: TransformOptions = {}): Promise<Transformed> {
  const { kind = 'WAREHOUSE_ONE', tables = {}, variables = {}, outputs = new Map(), now = 0 } = options;
  const indented = components.replaceAll(/^(?=.)/gm, '    ');
  const document = readPipeline(
    'a.tran.yaml',
    `type: transformation\nversion: "1.0"\npipeline:\n  components:\n${indented}`,
  );
  if (document.problems[0] !== undefined) throw new Error(document.problems[0].message);
  const warehouse = options.warehouse ?? (await openWarehouse({ kind, memoryLimit: '200MB' }));
  const dispose = async (): Promise<void> => {
    if (options.warehouse === undefined) await warehouse[Symbol.asyncDispose]();
  };
  try {
    for (const [name, table] of Object.entries(tables)) {
      await warehouse.createTable(nameOf(name, kind), columnsOf(table), table.rows);
    }
    const cells = { cell: (name: string) => (Object.hasOwn(variables, name) ? variables[name] : undefined) };
    const reader = { source: document.source, variables: cells, scope: expressionScope(cells, { now }) };
    const { database, schema } = nameOf('', kind);
    const transformation = openTransformation({
      countsReads: false,
      document,
      warehouse,
      kind,
      defaults: { database, schema },
      now,
      reader,
      outputs,
    });
    const sorted = sourceOrder(document);
    if ('cycle' in sorted) throw new Error('a cycle of sources');
    const results = new Map<string, ComponentResult>();
    for (const component of sorted.order) results.set(component.name, await transformation.run(component));
    return transformed(warehouse, kind, results, dispose);
  } catch (error) {
    await dispose();
    throw error;
  }
}

function transformed(
  warehouse: Warehouse,
  kind: WarehouseKind,
  results: ReadonlyMap<string, ComponentResult>,
  dispose: () => Promise<void>,
): Transformed {
  const table = (name: string) => warehouse.catalog.find(nameOf(name, kind));
  const select = async (name: string, order: string): Promise<Rows> => {
    const entry = table(name);
    if (entry === undefined) throw new Error(`no table ${name}`);
    return warehouse.query(`SELECT * FROM ${entry.sql}${order}`, { maxRows: 10_000 });
  };
  return {
    warehouse,
    results,
    table,
    rows: async (name) => (await select(name, ' ORDER BY ALL')).rows,
    read: (name) => select(name, ''),
    [Symbol.asyncDispose]: dispose,
  };
}

function nameOf(table: string, kind: WarehouseKind): TableName {
  return kind === 'WAREHOUSE_ONE'
    ? { database: 'DB', schema: 'S', table }
    : { database: 'db', schema: 's', table };
}

function columnsOf({ columns }: GivenTable): readonly Column[] {
  return Object.entries(columns).map(([name, type]) => ({ name, type }));
}
