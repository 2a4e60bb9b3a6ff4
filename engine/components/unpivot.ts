import { childOf } from '../../lib/yaml/yaml-node.ts';
import { SqlError } from '../core/refusal.ts';
import type { Column } from '../core/relation.ts';
import { describeType, duckdbType } from '../duckdb/catalog/column-types.ts';
import { quoteName, quoteText } from '../duckdb/catalog/physical-name.ts';
import { readNames } from '../parameters/read-rows.ts';
import { type Binding, type ComponentType, onlyInput, type RowsOutput } from './component-type.ts';
import { findInputColumns, storedName } from './find-column.ts';
import { placeOf, requiredRows, requiredText } from './read-cells.ts';
import { copyCell, selectCells, TEXT } from './select-list.ts';

export const unpivot: ComponentType = {
  type: 'unpivot',
  group: 'column',
  summary:
    'Turns the values of the listed columns into rows, each with the name of its column; NULLs are left out.',
  inputs: [1, 1],
  parameters: {
    columnsToNarrow: { form: 'names', meaning: 'the columns; all must have the same type' },
    outputNamesColumnName: {
      form: 'text',
      meaning: 'the name of the output column for the names of the listed columns',
    },
    outputValuesColumnName: { form: 'text', meaning: 'the name of the output column for the values' },
  },
  bind: bindUnpivot,
};

function bindUnpivot(binding: Binding): RowsOutput {
  const { parameters, reader, dialect } = binding;
  const input = onlyInput(binding);
  requiredRows(binding, 'columnsToNarrow');
  const names = readNames(childOf(parameters, 'columnsToNarrow'), reader);
  const narrowed = findInputColumns(names, input, dialect);
  const type = onlyType(binding, narrowed);
  const others = input.columns
    .filter(({ name }) => !narrowed.some((column) => column.name === name))
    .map((column) => copyCell(column, input));
  const output = (key: string) => storedName(requiredText(binding, key).text, dialect.warehouse);
  const values = narrowed.map((column) => `CAST(${copyCell(column, input).sql} AS ${duckdbType(type)})`);
  const [nameColumn, valueColumn] = [output('outputNamesColumnName'), output('outputValuesColumnName')];
  const cells = [
    ...others,
    {
      name: nameColumn,
      type: TEXT,
      sql: `unnest([${narrowed.map(({ name }) => quoteText(name)).join(', ')}])`,
    },
    { name: valueColumn, type, sql: `unnest([${values.join(', ')}])` },
  ];
  const { sql, columns } = selectCells(cells, `FROM ${input.sql}`, placeOf(binding, 'columnsToNarrow'));
  return {
    kind: 'rows',
    sql: `SELECT * FROM (${sql}) WHERE ${quoteName(valueColumn)} IS NOT NULL`,
    columns,
  };
}

function onlyType(binding: Binding, columns: readonly Column[]): Column['type'] {
  const [first, ...others] = columns;
  if (first === undefined) throw new Error('no columns to narrow');
  const other = others.find(({ type }) => describeType(type) !== describeType(first.type));
  if (other === undefined) return first.type.name === 'NULL' ? TEXT : first.type;
  const both = [first, other].map(({ name, type }) => `"${name}" is ${describeType(type)}`).join(' and ');
  throw new SqlError(
    `all columns in columnsToNarrow must have the same type, but ${both}; convert them first`,
    {
      place: placeOf(binding, 'columnsToNarrow'),
    },
  );
}
