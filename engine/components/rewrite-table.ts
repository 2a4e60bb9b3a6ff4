import { childOf } from '../../lib/yaml/yaml-node.ts';
import type { Column } from '../core/relation.ts';
import type { WarehouseKind } from '../core/sql-type.ts';
import { columnDefinition, declareTypes, duckdbType, hasLength } from '../duckdb/catalog/column-types.ts';
import { physicalTable, quoteName } from '../duckdb/catalog/physical-name.ts';
import { replaceTableSql } from '../duckdb/catalog/replace-table.ts';
import type { TableKey } from '../parameters/read-table.ts';
import { type Binding, type ComponentType, onlyInput, type WriteOutput } from './component-type.ts';
import { replaceableName } from './find-table.ts';
import { orderByClause, orderTerms } from './order-by.ts';
import { tableParameters } from './table-parameters.ts';
import { rowsText } from './write-text.ts';

const summary = 'Replaces a table and its columns with the columns and rows of the input.';
const orderBy = {
  form: 'rows',
  cells: 2,
  meaning:
    'in each row: a column and a direction; together they give the order in which the table stores the rows',
} as const;

export const rewriteTable: ComponentType = {
  type: 'rewrite-table',
  group: 'write',
  summary,
  inputs: [1, 1],
  parameters: {
    ...tableParameters,
    targetTable: { form: 'text', meaning: 'the name of the table' },
    orderBy,
  },
  bind: (binding) => bindRewrite(binding, 'targetTable'),
};

export const rewriteTableOfCatalog: ComponentType = {
  type: 'rewrite-table-dl',
  group: 'write',
  summary,
  inputs: [1, 1],
  parameters: { ...tableParameters, table: { form: 'text', meaning: 'the name of the table' }, orderBy },
  bind: (binding) => bindRewrite(binding, 'table'),
};

function bindRewrite(binding: Binding, key: TableKey): WriteOutput {
  const input = onlyInput(binding);
  const { parameters, dialect } = binding;
  const target = replaceableName(binding, key, 'table');
  const columns = input.columns.map(storedColumn);
  const cells = columns.map(
    ({ name, type }) => `CAST(${quoteName(name)} AS ${duckdbType(type)}) AS ${quoteName(name)}`,
  );
  const order = orderByClause(orderTerms(childOf(parameters, 'orderBy'), input, binding));
  const rows = `SELECT ${cells.join(', ')} FROM (${input.query})${order}`;
  const table = physicalTable(target);
  const statements = replaceTableSql(table, rows, limitsOf(table, columns, dialect.warehouse));
  return {
    kind: 'write',
    target,
    definesTables: true,
    statements,
    async write(warehouse) {
      await warehouse.createSchema(target.database, target.schema);
      const [create = '', ...others] = statements;
      // The result of the statement is the number of rows.
      const { rows: created } = await warehouse.query(create, { maxRows: 1 });
      for (const statement of others) await warehouse.run(statement);
      const count = Number(created[0]?.[0]);
      return { rows: count, message: rowsText(count, target) };
    },
  };
}

/** The column with a type that a table can store. A NULL without another type gets one. */
function storedColumn({ name, type }: Column): Column {
  return { name, type: type.name === 'NULL' ? { name: 'VARCHAR', length: undefined } : type };
}

function limitsOf(
  table: string,
  columns: readonly Column[],
  kind: WarehouseKind,
): Parameters<typeof replaceTableSql>[2] {
  const isLimited = columns.some(({ type }) => hasLength(type));
  return {
    definitions: isLimited ? columns.map((column) => columnDefinition(column, kind)) : undefined,
    afterwards: declareTypes(table, columns),
  };
}
