import { SqlError } from '../core/refusal.ts';
import { declareTypes, duckdbType } from '../duckdb/catalog/column-types.ts';
import { physicalTable, quoteName } from '../duckdb/catalog/physical-name.ts';
import { declareNeeds, queryNeeds } from '../duckdb/catalog/view-needs.ts';
import type { Warehouse } from '../duckdb/connection/warehouse.ts';
import type { TableReference } from '../parameters/read-table.ts';
import { type Binding, type ComponentType, onlyInput, type WriteOutput } from './component-type.ts';
import { replaceableName } from './find-table.ts';
import { copyCell, TEXT } from './select-list.ts';
import { tableParameters } from './table-parameters.ts';

export const createView: ComponentType = {
  type: 'create-view',
  group: 'write',
  summary:
    'Creates or replaces a view, which computes the rows of the component’s input whenever the view is read.',
  inputs: [1, 1],
  storesSql: true,
  parameters: {
    ...tableParameters,
    viewName: { form: 'text', meaning: 'the name of the view' },
    secureView: { form: 'yes-no', meaning: 'who may see the SQL of the view', isIgnored: true },
    viewType: { form: 'choice', meaning: 'only `Standard`', choices: ['Standard'] },
  },
  bind: bindView,
};

function bindView(binding: Binding): WriteOutput {
  const input = onlyInput(binding);
  const target = replaceableName(binding, 'viewName', 'view');
  const view = physicalTable(target);
  const columns = input.columns.map(({ name, type }) => ({ name, type: type.name === 'NULL' ? TEXT : type }));
  const cells = columns.map((column) => {
    const { sql } = copyCell(column, { sql: 'input_1', columns });
    return `CAST(${sql} AS ${duckdbType(column.type)}) AS ${quoteName(column.name)}`;
  });
  const create = `CREATE OR REPLACE VIEW ${view} AS SELECT ${cells.join(', ')} FROM (${input.query}) AS input_1`;
  const { warehouse: kind, catalog } = binding.dialect;
  // Only `WAREHOUSE_TWO` keeps a table that a view needs. A view that replaces itself is refused below.
  const read = kind === 'WAREHOUSE_TWO' ? catalog.all().filter(({ sql }) => sql !== view) : [];
  const needs = queryNeeds(input.query, read);
  const statements = [create, ...declareTypes(view, columns), ...declareNeeds(view, needs)];
  return {
    kind: 'write',
    target,
    definesTables: true,
    statements,
    async write(warehouse) {
      await warehouse.createSchema(target.database, target.schema);
      for (const statement of statements) await warehouse.run(statement);
      await refuseCycle(warehouse, view, target);
      return { rows: undefined, message: `View "${target.table}" created.` };
    },
  };
}

/** Refuses a view that reads itself. DuckDB would notice this only when the view is read. */
async function refuseCycle(
  warehouse: Warehouse,
  view: string,
  { table, place }: TableReference,
): Promise<void> {
  try {
    await warehouse.describe(`SELECT * FROM ${view}`);
  } catch (error) {
    if (!(error instanceof SqlError) || !error.message.includes('infinite recursion')) throw error;
    throw new SqlError(
      `the view "${table}" would read itself: choose another viewName, or read another table`,
      { place },
    );
  }
}
