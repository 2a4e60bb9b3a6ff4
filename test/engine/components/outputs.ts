import { afterAll, expect } from 'vitest';
import type { SqlType, WarehouseKind } from '../../../engine/core/sql-type.ts';
import { describeType } from '../../../engine/duckdb/catalog/column-types.ts';
import { openWarehouse } from '../../../engine/duckdb/open-warehouse.ts';
import type { Value, Warehouse } from '../../../engine/duckdb/connection/warehouse.ts';
import { transform, type Transformed, type TransformOptions } from '../transformation/transform.ts';

/** What the last component of a transformation gives. */
export interface Output {
  /** `ID NUMBER(38,0)`, in order. */
  readonly columns: readonly string[];
  /** Sorted by all columns. */
  readonly rows: readonly (readonly Value[])[];
  /** The notices of all components. */
  readonly notices: readonly string[];
}

const writer = 'Write the output';

/**
 * The outputs of components, all computed on one warehouse of each kind for a test file. Each output is checked: the
 * rows have in DuckDB exactly the types that the component declares.
 */
export function outputs(): (components: string, options?: TransformOptions) => Promise<Output> {
  const open = new Map<WarehouseKind, Promise<Warehouse>>();
  afterAll(async () => {
    for (const warehouse of open.values()) await (await warehouse)[Symbol.asyncDispose]();
  });
  return async (components, options = {}) => {
    const { kind = 'WAREHOUSE_ONE' } = options;
    const opening = open.get(kind) ?? openWarehouse({ kind, memoryLimit: '200MB' });
    open.set(kind, opening);
    const warehouse = options.warehouse ?? (await opening);
    const names = [...components.matchAll(/^(\S.*):\s*$/gm)].map(([, name = '']) =>
      name.replace(/^(["'])(.*)\1$/, '$2'),
    );
    const write = `${writer}:\n  type: rewrite-table\n  sources: [${JSON.stringify(names.at(-1))}]\n  parameters: { targetTable: output }\n`;
    await using done = await transform(`${components.trim()}\n${write}`, { ...options, warehouse });
    const declared = (done.table('output')?.columns ?? []).map(text);
    expect(await realColumns(done)).toEqual(
      declared.map((column) => column.replace(/^(.* VARCHAR).*/, '$1')),
    );
    const notices = [...done.results.values()].flatMap((result) => result.notices);
    return { columns: declared, rows: await done.rows('output'), notices };
  };
}

/** The columns that DuckDB has for the last component, before the writer casts them. */
async function realColumns({ warehouse, results }: Transformed): Promise<readonly string[]> {
  const rows = [...results].filter(([name]) => name !== writer);
  const tables = rows.map(([, { sql }], index) => `component_${index + 1} AS (${sql.join()})`);
  const query = `WITH ${tables.join(', ')} SELECT * FROM component_${rows.length}`;
  return (await warehouse.describe(query)).map(text);
}

function text({ name, type }: { readonly name: string; readonly type: SqlType }): string {
  return `${name} ${describeType(type)}`;
}
