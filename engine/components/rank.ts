import { Refusal } from '../core/refusal.ts';
import { type Binding, type ComponentType, type Input, onlyInput } from './component-type.ts';
import { storedName } from './find-column.ts';
import { includeInputColumns } from './include-input.ts';
import { readPair, requiredRows } from './read-cells.ts';
import { type Cell, valueCell } from './select-list.ts';
import { addWindowCells, readWindow, windowValue } from './window.ts';

const rowNumber = 'ROW_NUMBER()';

const functions: Readonly<Record<string, string>> = {
  'row number': rowNumber,
  rank: 'RANK()',
  'dense rank': 'DENSE_RANK()',
  'cumulative distribution': 'CUME_DIST()',
  'percent rank': 'PERCENT_RANK()',
};

export const rank: ComponentType = {
  type: 'rank',
  group: 'group',
  summary: 'Numbers the rows of each group according to an order.',
  inputs: [1, 1],
  parameters: {
    includeInputColumns,
    partitionData: {
      form: 'names',
      meaning:
        'the columns to group by: rows with equal values form a group; without them, all rows form one group',
    },
    orderingWithinPartitions: {
      form: 'rows',
      cells: 2,
      meaning: 'in each row: a column and a direction; together they give the order of the rows in a group',
    },
    functions: {
      form: 'rows',
      cells: 2,
      meaning:
        'in each row: Row Number, Rank, Dense Rank, Cumulative Distribution or Percent Rank, and the name of the output column',
    },
  },
  bind(binding) {
    const input = onlyInput(binding);
    return addWindowCells(binding, input, readFunctions(binding, input));
  },
};

function readFunctions(binding: Binding, input: Input): readonly Cell[] {
  const window = readWindow(binding, input, 'partitionData', 'orderingWithinPartitions');
  return requiredRows(binding, 'functions').map((row) => {
    const [word, name] = readPair(row, 'function', 'output column');
    const key = word.text.trim().toLowerCase();
    const call = Object.hasOwn(functions, key) ? functions[key] : undefined;
    if (call === undefined) {
      const hint = 'use Row Number, Rank, Dense Rank, Cumulative Distribution or Percent Rank';
      throw new Refusal(`the function "${word.text}"`, word.placeOf(0), hint);
    }
    if (window.order.length === 0) {
      if (call !== rowNumber)
        throw new Refusal(
          `${word.text.trim()} without an order`,
          word.placeOf(0),
          'set `orderingWithinPartitions`, the order of the rows in a group',
        );
      binding.notice('no order is set: the warehouse may number the rows in any order');
    }
    const order = call === rowNumber ? window.wholeOrder : window.order;
    const value = windowValue(call, window, order, { input, at: word, binding });
    return valueCell(storedName(name.text, binding.dialect.warehouse), value);
  });
}
