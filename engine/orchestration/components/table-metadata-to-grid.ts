import { childOf } from '../../../lib/yaml/yaml-node.ts';
import { existingTable, tableText } from '../../components/find-table.ts';
import { tableParameters } from '../../components/table-parameters.ts';
import { ALL_COLUMNS } from '../../core/dialect.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Column, Table } from '../../core/relation.ts';
import type { WarehouseKind } from '../../core/sql-type.ts';
import { describeType } from '../../duckdb/catalog/column-types.ts';
import { ParameterError } from '../../parameters/parameter-error.ts';
import { placeOfNode, readText } from '../../parameters/parameter-reader.ts';
import { readNames } from '../../parameters/read-rows.ts';
import { gridVariable, setGrid } from '../task/set-variable.ts';
import type { TaskType } from '../task/task.ts';

/** The attributes of a column as texts; an empty text if its type has no size. */
const attributes: Readonly<Record<string, (column: Column, table: Table, kind: WarehouseKind) => string>> = {
  name: ({ name }) => name,
  type: ({ type }, _table, kind) =>
    type.name === 'TIMESTAMP' && kind === 'WAREHOUSE_ONE'
      ? 'TIMESTAMP_NTZ'
      : describeType(type, kind).replace(/\(.*/, ''),
  size: ({ type }) =>
    type.name === 'NUMBER'
      ? String(type.precision)
      : type.name === 'VARCHAR' && type.length !== undefined
        ? String(type.length)
        : '',
  precision: ({ type }) => (type.name === 'NUMBER' ? String(type.scale) : ''),
  'primary key': ({ name }, { primaryKey = [] }) => (primaryKey.includes(name) ? 'Yes' : 'No'),
};

export const tableMetadataToGrid: TaskType = {
  type: 'table-metadata-to-grid',
  summary: 'Replaces the rows of a grid variable with facts about the columns of a table.',
  parameters: {
    ...tableParameters,
    targetTable: { form: 'text', meaning: 'the name of the table or view' },
    gridVariable: { form: 'text', meaning: 'the name of the grid variable' },
    gridVariableMapping: {
      form: 'names',
      meaning:
        'the attribute for each column of the grid, in their order: `Name`, `Type`, `Size`, `Precision` or `Primary Key` (`Yes` or `No`)',
    },
  },
  async run(task) {
    const { parameters, reader } = task;
    const name = readText(childOf(parameters, 'gridVariable'), reader);
    if (name === undefined) {
      throw new ParameterError('the parameter gridVariable is not set', placeOfNode(parameters, reader));
    }
    const grid = gridVariable(task, name);
    const table = existingTable(task, 'targetTable');
    task.dialect.noteColumn?.(table.sql, ALL_COLUMNS);
    const chosen = readNames(childOf(parameters, 'gridVariableMapping'), reader).map((attribute) => {
      const word = attribute.text.trim().toLowerCase();
      const read = Object.hasOwn(attributes, word) ? attributes[word] : undefined;
      if (read !== undefined) return read;
      const hint = 'use Name, Type, Size, Precision or Primary Key';
      throw new Refusal(`the attribute "${attribute.text}" of a column`, attribute.placeOf(0), hint);
    });
    if (grid.columns.length > 0 && chosen.length !== grid.columns.length) {
      const counts = `there are ${chosen.length} attributes, but the grid "${name.text}" has ${grid.columns.length} columns: list one attribute for each column`;
      throw new ParameterError(counts, placeOfNode(parameters, reader));
    }
    const rows = table.columns.map((column) =>
      chosen.map((read) => read(column, table, task.dialect.warehouse)),
    );
    setGrid(task, name, rows);
    return { message: `${rows.length} columns of ${tableText(table)} in "${name.text}".` };
  },
};
