import { childOf } from '../../lib/yaml/yaml-node.ts';
import { Refusal } from '../core/refusal.ts';
import type { SourceText } from '../core/source-text.ts';
import { translateExpression } from '../dialect/translate.ts';
import { groupBy } from '../dialect/write/sql/equal-texts.ts';
import { quoteName } from '../duckdb/catalog/physical-name.ts';
import { readText } from '../parameters/parameter-reader.ts';
import { fixedText, readNames, readRows, type Row } from '../parameters/read-rows.ts';
import { type Binding, type ComponentType, type Input, onlyInput } from './component-type.ts';
import { findInputColumn, findInputColumns, storedName } from './find-column.ts';
import { placeOf, readPair } from './read-cells.ts';
import { type Cell, copyCell, selectCells, valueCell } from './select-list.ts';

/**
 * For each function name in a parameter: the start of the call in the warehouse's SQL, and the start of the output
 * column's name.
 */
const functions: Readonly<Record<string, { readonly sql: string; readonly name: string }>> = {
  sum: { sql: 'SUM(', name: 'sum' },
  average: { sql: 'AVG(', name: 'avg' },
  count: { sql: 'COUNT(', name: 'count' },
  'count distinct': { sql: 'COUNT(DISTINCT ', name: 'count_distinct' },
  max: { sql: 'MAX(', name: 'max' },
  min: { sql: 'MIN(', name: 'min' },
};

export const aggregate: ComponentType = {
  type: 'aggregate',
  group: 'group',
  summary: 'Combines each group of rows into one row.',
  inputs: [1, 1],
  parameters: {
    groupings: {
      form: 'names',
      meaning:
        'the columns to group by: rows with equal values form a group; without them, all rows form one group',
    },
    aggregations: {
      form: 'rows',
      cells: 2,
      meaning:
        'in each row: a column, and Sum, Average, Count, Count Distinct, Max or Min; the output column gets a name such as `sum_AMOUNT` or `avg_AMOUNT`',
    },
    groupingType: {
      form: 'choice',
      meaning: 'how rows are grouped',
      choices: ['Group By', 'Group By Rollup', 'Group By Cube'],
    },
  },
  bind(binding) {
    const { parameters, reader, dialect } = binding;
    const input = onlyInput(binding);
    const groups = findInputColumns(readNames(childOf(parameters, 'groupings'), reader), input, dialect).map(
      (column) => copyCell(column, input),
    );
    const values = readRows(childOf(parameters, 'aggregations'), reader).map((row) =>
      aggregateCell(row, input, binding),
    );
    const grouped = groupBy(groups, dialect.warehouse, groupList(groups, binding));
    return selectCells(
      [...groups, ...values],
      `FROM ${input.sql}${grouped}`,
      placeOf(binding, 'aggregations'),
    );
  },
};

/**
 * The GROUP BY list. A rollup also groups by fewer columns, dropped from the right. A cube also groups by every
 * subset of the columns.
 */
function groupList(groups: readonly Cell[], { parameters, reader }: Binding): string {
  const list = groups.map(({ sql }) => sql).join(', ');
  const type = readText(childOf(parameters, 'groupingType'), reader)?.text ?? '';
  const [, word] = /^group by (rollup|cube)$/i.exec(type.trim()) ?? [];
  return word === undefined ? list : `${word.toUpperCase()} (${list})`;
}

function aggregateCell(row: Row, input: Input, { dialect }: Binding): Cell {
  const [column, word] = readPair(row, 'column', 'function');
  const aggregateFunction = findAggregate(word);
  const { name } = findInputColumn(column, input, dialect);
  const text = fixedText(`${aggregateFunction.sql}${quoteName(name)})`, column.placeOf(0));
  const value = translateExpression(text, new Map([['', input]]), dialect);
  return valueCell(storedName(`${aggregateFunction.name}_${name}`, dialect.warehouse), value);
}

/** Finds the aggregate function with this name. Throws Refusal if the engine does not have it. */
export function findAggregate(word: SourceText): {
  readonly sql: string;
  readonly name: string;
} {
  const aggregateFunction = Object.hasOwn(functions, key(word.text)) ? functions[key(word.text)] : undefined;
  if (aggregateFunction !== undefined) return aggregateFunction;
  const hint = 'use Sum, Average, Count, Count Distinct, Max or Min';
  throw new Refusal(`the function "${word.text}"`, word.placeOf(0), hint);
}

function key(word: string): string {
  return word.trim().toLowerCase();
}
