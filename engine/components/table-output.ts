import { childOf } from '../../lib/yaml/yaml-node.ts';
import { readText, readYesNo } from '../parameters/parameter-reader.ts';
import { type Binding, type ComponentType, onlyInput, type WriteOutput } from './component-type.ts';
import { writableTable } from './find-table.ts';
import { orderByClause, orderTerms } from './order-by.ts';
import { tableParameters } from './table-parameters.ts';
import { targetColumns } from './target-columns.ts';
import { rowsText } from './write-text.ts';

export const tableOutput: ComponentType = {
  type: 'table-output',
  group: 'write',
  summary: 'Inserts the rows of its input into an existing table.',
  inputs: [1, 1],
  parameters: {
    ...tableParameters,
    targetTable: { form: 'text', meaning: 'the name of the table' },
    fixDataTypeMismatches: {
      form: 'yes-no',
      meaning: 'whether values are cast to the column types of the table; otherwise INSERT converts them',
    },
    columnMapping: {
      form: 'rows',
      cells: 2,
      meaning:
        'in each row: an input column, and the column of the table; other columns of the table get their default value or NULL',
    },
    orderBy: {
      form: 'rows',
      cells: 2,
      meaning: 'in each row: a column and a direction; together they give the order of the new rows',
    },
    outputMode: {
      form: 'choice',
      meaning: '`Append` keeps the existing rows of the table, `Truncate` removes them first',
      choices: ['Append', 'Truncate'],
    },
  },
  bind: bindOutput,
};

function bindOutput(binding: Binding): WriteOutput {
  const { parameters, reader } = binding;
  const input = onlyInput(binding);
  const target = writableTable(binding, 'targetTable');
  const isCast = readYesNo(childOf(parameters, 'fixDataTypeMismatches'), reader, false);
  const columns = targetColumns(binding, 'columnMapping', { input, rows: 'input_1', target, isCast });
  const order = orderByClause(orderTerms(childOf(parameters, 'orderBy'), input, binding));
  const names = columns.map(({ name }) => name).join(', ');
  const values = columns.map(({ value }) => value).join(', ');
  const insert = `INSERT INTO ${target.sql} (${names}) SELECT ${values} FROM (${input.query}) AS input_1${order}`;
  const mode = readText(childOf(parameters, 'outputMode'), reader)?.text.trim().toLowerCase();
  const statements = mode === 'truncate' ? [`DELETE FROM ${target.sql}`, insert] : [insert];
  return {
    kind: 'write',
    target,
    definesTables: false,
    statements,
    async write(warehouse) {
      let rows = 0;
      for (const statement of statements) rows = await warehouse.run(statement);
      return { rows, message: rowsText(rows, target) };
    },
  };
}
