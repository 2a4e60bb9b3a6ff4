import { withoutBlanks } from '../core/written-number.ts';
import { Refusal } from '../core/refusal.ts';
import { childOf } from '../../lib/yaml/yaml-node.ts';
import { readText } from '../parameters/parameter-reader.ts';
import type { SourceText } from '../core/source-text.ts';
import { quoteName } from '../duckdb/catalog/physical-name.ts';
import { type Binding, type ComponentType, type Input, onlyInput } from './component-type.ts';
import { findInputColumn, storedName } from './find-column.ts';
import { includeInputColumns } from './include-input.ts';
import { requiredCell, requiredRows, requiredText } from './read-cells.ts';
import { type Cell, valueCell } from './select-list.ts';
import { addWindowCells, readWindow, windowValue } from './window.ts';

const functions: Readonly<Record<string, string>> = {
  sum: 'SUM',
  average: 'AVG',
  count: 'COUNT',
  max: 'MAX',
  maximum: 'MAX',
  min: 'MIN',
  minimum: 'MIN',
};

const lowerBounds = ['UNBOUNDED PRECEDING', 'CURRENT ROW'] as const;
const upperBounds = ['CURRENT ROW', 'UNBOUNDED FOLLOWING'] as const;

export const windowCalculation: ComponentType = {
  type: 'window-calculation',
  group: 'group',
  summary:
    'Adds a column to each row, with a value that a function computes from the rows of the same group.',
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
      cells: 3,
      meaning:
        'in each row: Sum, Average, Count, Max or Min, an input column, and the name of the output column',
    },
    lowerBound: {
      form: 'text',
      meaning:
        'the first row that the function reads: Unbounded Preceding or Current Row; without an order, both bounds may be left out',
    },
    upperBound: {
      form: 'text',
      meaning: 'the last row that the function reads: Current Row or Unbounded Following',
    },
  },
  bind(binding) {
    const input = onlyInput(binding);
    return addWindowCells(binding, input, readFunctions(binding, input));
  },
};

function readFunctions(binding: Binding, input: Input): readonly Cell[] {
  const { dialect } = binding;
  const window = readWindow(binding, input, 'partitionData', 'orderingWithinPartitions');
  const frame = readFrame(binding, window.order.length > 0);
  return requiredRows(binding, 'functions').map((row) => {
    const word = requiredCell(row, 0, 'function');
    const key = word.text.trim().toLowerCase();
    const name = Object.hasOwn(functions, key) ? functions[key] : undefined;
    if (name === undefined)
      throw new Refusal(
        `the function "${word.text}"`,
        word.placeOf(0),
        'use Sum, Average, Count, Max or Min',
      );
    const column = findInputColumn(requiredCell(row, 1, 'column'), input, dialect);
    const output = requiredCell(row, 2, 'output column');
    const call = `${name}(${quoteName(column.name)})`;
    const order = frame === undefined ? [] : window.wholeOrder;
    const value = windowValue(call, window, order, { input, at: word, binding }, frame);
    return valueCell(storedName(output.text, dialect.warehouse), value);
  });
}

/**
 * The rows from which a value is computed. Undefined if it is computed from the whole group, so that the order does
 * not matter.
 */
function readFrame(binding: Binding, hasOrder: boolean): string | undefined {
  const { parameters, reader } = binding;
  const isMissing = (name: string) => readText(childOf(parameters, name), reader) === undefined;
  // Without a frame and without an order, each row gets the value of its whole group.
  if (!hasOrder && isMissing('lowerBound') && isMissing('upperBound')) return undefined;
  const from = boundOf(requiredText(binding, 'lowerBound'), lowerBounds);
  const to = boundOf(requiredText(binding, 'upperBound'), upperBounds);
  if (from === 'UNBOUNDED PRECEDING' && to === 'UNBOUNDED FOLLOWING') return undefined;
  if (hasOrder) return `ROWS BETWEEN ${from} AND ${to}`;
  const place = requiredText(binding, 'lowerBound').placeOf(0);
  throw new Refusal(
    'a part of a group without an order',
    place,
    'set `orderingWithinPartitions`, the order of the rows in a group',
  );
}

function boundOf(written: SourceText, bounds: readonly string[]): string {
  const bound = withoutBlanks(written.text).replaceAll(/ +/g, ' ').toUpperCase();
  if (bounds.includes(bound)) return bound;
  const words = bounds.map((word) => word.toLowerCase()).join(' or ');
  throw new Refusal(`the bound "${written.text}"`, written.placeOf(0), `use ${words}`);
}
