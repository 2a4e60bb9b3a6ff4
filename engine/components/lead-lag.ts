import { withoutBlanks } from '../core/written-number.ts';
import { childOf } from '../../lib/yaml/yaml-node.ts';
import { Refusal } from '../core/refusal.ts';
import type { SourceText } from '../core/source-text.ts';
import { quoteName } from '../duckdb/catalog/physical-name.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import { readYesNo } from '../parameters/parameter-reader.ts';
import type { Row } from '../parameters/read-rows.ts';
import { type Binding, type ComponentType, type Input, onlyInput } from './component-type.ts';
import { findInputColumn, storedName } from './find-column.ts';
import { includeInputColumns } from './include-input.ts';
import { placeOf, requiredCell, requiredRows } from './read-cells.ts';
import { type Cell, valueCell } from './select-list.ts';
import { addWindowCells, readWindow, windowValue } from './window.ts';

export const leadLag: ComponentType = {
  type: 'lead-lag',
  group: 'group',
  summary: 'Adds values from later or earlier rows to each row.',
  inputs: [1, 1],
  parameters: {
    includeInputColumns,
    partitionData: {
      form: 'names',
      meaning:
        'the columns to group by: rows with equal values form a group; without them, all rows form one group',
    },
    orderingsWithinPartitions: {
      form: 'rows',
      cells: 2,
      meaning: 'in each row: a column and a direction; together they give the order of the rows in a group',
    },
    functions: {
      form: 'rows',
      cells: 4,
      meaning:
        'in each row: Lead or Lag, a column, the distance in rows (1 if it is empty), and the name of the output column',
    },
    ignoreNulls: { form: 'yes-no', meaning: 'whether NULLs are skipped' },
  },
  bind(binding) {
    const input = onlyInput(binding);
    return addWindowCells(binding, input, readFunctions(binding, input));
  },
};

function readFunctions(binding: Binding, input: Input): readonly Cell[] {
  const { parameters, reader, dialect } = binding;
  const window = readWindow(binding, input, 'partitionData', 'orderingsWithinPartitions');
  const rows = requiredRows(binding, 'functions');
  if (window.order.length === 0)
    throw new Refusal(
      'Lead or Lag without an order',
      placeOf(binding, 'functions'),
      'set `orderingsWithinPartitions`, the order of the rows in a group',
    );
  const nulls = readYesNo(childOf(parameters, 'ignoreNulls'), reader, false) ? ' IGNORE NULLS' : '';
  return rows.map((row) => {
    const word = readFunction(requiredCell(row, 0, 'function'));
    const column = requiredCell(row, 1, 'column');
    const name = quoteName(findInputColumn(column, input, dialect).name);
    const call = `${word}(${name}, ${readDistance(row)})${nulls}`;
    const value = windowValue(call, window, window.wholeOrder, { input, at: column, binding });
    return valueCell(storedName(requiredCell(row, 3, 'output column').text, dialect.warehouse), value);
  });
}

function readFunction(cell: SourceText): string {
  const word = cell.text.trim().toUpperCase();
  if (word === 'LEAD' || word === 'LAG') return word;
  throw new Refusal(`the function "${cell.text}"`, cell.placeOf(0), 'use Lead or Lag');
}

function readDistance({ cells: [, , cell], parameter }: Row): number {
  const written = withoutBlanks(cell?.text ?? '');
  if (cell === undefined || written === '') return 1;
  if (/^\d{1,9}$/.test(written)) return Number(written);
  const message = `expected the distance as a number of rows in ${parameter}, found "${cell.text}"`;
  throw new ParameterError(message, cell.placeOf(0));
}
