import { childOf } from '../../lib/yaml/yaml-node.ts';
import { Refusal } from '../core/refusal.ts';
import { groupBy } from '../dialect/write/sql/equal-texts.ts';
import { readYesNo } from '../parameters/parameter-reader.ts';
import { readNames } from '../parameters/read-rows.ts';
import { type Binding, type ComponentType, type Input, onlyInput } from './component-type.ts';
import { findInputColumn, findInputColumns } from './find-column.ts';
import { placeOf, readPair, requiredRows } from './read-cells.ts';
import { type Cell, copyCell, selectCells } from './select-list.ts';
import { readWindow } from './window.ts';

export const firstLast: ComponentType = {
  type: 'first-last',
  group: 'group',
  summary:
    'Combines each group of rows into one row, with the first or last values in the order of the group.',
  inputs: [1, 1],
  parameters: {
    groupingColumns: {
      form: 'names',
      meaning:
        'the columns to group by: rows with equal values form a group; without them, all rows form one group',
    },
    orderingInPartitions: {
      form: 'rows',
      cells: 2,
      meaning: 'in each row: a column and a direction; together they give the order of the rows in a group',
    },
    firstLastColumns: { form: 'rows', cells: 2, meaning: 'in each row: a column, and First or Last' },
    ignoreNulls: { form: 'yes-no', meaning: 'whether NULLs are skipped' },
  },
  bind(binding) {
    const { parameters, reader, dialect } = binding;
    const input = onlyInput(binding);
    const names = readNames(childOf(parameters, 'groupingColumns'), reader);
    const groups = findInputColumns(names, input, dialect).map((column) => copyCell(column, input));
    const values = readValues(binding, input);
    // Without groups, a query of aggregates gives one row even if the input has no rows.
    const grouped = groups.length === 0 ? ' HAVING count(*) > 0' : groupBy(groups, dialect.warehouse);
    const place = placeOf(binding, 'firstLastColumns');
    return selectCells([...groups, ...values], `FROM ${input.sql}${grouped}`, place);
  },
};

function readValues(binding: Binding, input: Input): readonly Cell[] {
  const { parameters, reader, dialect } = binding;
  const { order, duckdbOrder } = readWindow(binding, input, 'groupingColumns', 'orderingInPartitions');
  const ignoresNulls = readYesNo(childOf(parameters, 'ignoreNulls'), reader, false);
  return requiredRows(binding, 'firstLastColumns').map((row) => {
    const [column, which] = readPair(row, 'column', 'First or Last');
    const word = which.text.trim().toLowerCase();
    if (word !== 'first' && word !== 'last') {
      throw new Refusal(`the function "${which.text}"`, which.placeOf(0), 'use First or Last');
    }
    if (order.length === 0)
      throw new Refusal(
        `${which.text.trim()} without an order`,
        which.placeOf(0),
        'set `orderingInPartitions`, the order of the rows in a group',
      );
    const cell = copyCell(findInputColumn(column, input, dialect), input);
    const filter = ignoresNulls ? ` FILTER (WHERE ${cell.sql} IS NOT NULL)` : '';
    const sql = `${word}(${cell.sql} ORDER BY ${duckdbOrder.join(', ')})${filter}`;
    return { ...cell, sql };
  });
}
