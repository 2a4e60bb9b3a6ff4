import { childOf } from '../../lib/yaml/yaml-node.ts';
import { Refusal } from '../core/refusal.ts';
import type { SourceText } from '../core/source-text.ts';
import type { TranslatedExpression } from '../core/dialect.ts';
import { translateExpression } from '../dialect/translate.ts';
import { quoteName } from '../duckdb/catalog/physical-name.ts';
import { fixedText, readNames } from '../parameters/read-rows.ts';
import type { Binding, Input, RowsOutput } from './component-type.ts';
import { findInputColumns } from './find-column.ts';
import { includesInput } from './include-input.ts';
import { orderTerms } from './order-by.ts';
import { placeOf } from './read-cells.ts';
import { type Cell, copyCell, selectCells } from './select-list.ts';

/** The clauses of OVER as text. The text is the same in the SQL of the warehouse and in DuckDB's SQL. */
export interface WindowText {
  /** The clause `PARTITION BY …`, or an empty text. */
  readonly partitions: string;
  /** The terms of the order as they are written. */
  readonly order: readonly string[];
  /** The terms of the order, followed by all other columns, so that rows with equal terms also have a fixed order. */
  readonly wholeOrder: readonly string[];
  /** `wholeOrder` in DuckDB's SQL. */
  readonly duckdbOrder: readonly string[];
}

export function readWindow(
  binding: Binding,
  input: Input,
  partitionKey: string,
  orderKey: string,
): WindowText {
  const { parameters, reader, dialect } = binding;
  const names = readNames(childOf(parameters, partitionKey), reader);
  const partitions = findInputColumns(names, input, dialect).map(({ name }) => quoteName(name));
  const order = orderTerms(childOf(parameters, orderKey), input, binding);
  const others = input.columns.map(({ name, type }) => {
    const column = quoteName(name);
    return `${type.name === 'VARIANT' ? `CAST(${column} AS VARCHAR)` : column} ASC NULLS LAST`;
  });
  return {
    partitions: partitions.length === 0 ? '' : `PARTITION BY ${partitions.join(', ')} `,
    order: order.written,
    wholeOrder: [...order.written, ...others],
    duckdbOrder: [...order.duckdb, ...others],
  };
}

/**
 * Translates a call of a window function. `at` is its position in the file. Without an order, the function reads the
 * whole group.
 */
export function windowValue(
  call: string,
  { partitions }: WindowText,
  order: readonly string[],
  { input, at, binding }: { readonly input: Input; readonly at: SourceText; readonly binding: Binding },
  frame = '',
): TranslatedExpression {
  const ordered = order.length === 0 ? '' : `ORDER BY ${order.join(', ')} ${frame}`;
  const text = `${call} OVER (${partitions}${ordered})`;
  // The relation with the empty name has the columns that are written without the name of a table.
  return translateExpression(fixedText(text, at.placeOf(0)), new Map([['', input]]), binding.dialect);
}

/** The columns of the input, if they are included, followed by the values of window functions. */
export function addWindowCells(binding: Binding, input: Input, added: readonly Cell[]): RowsOutput {
  const place = placeOf(binding, 'functions');
  const copied = includesInput(binding) ? input.columns.map((column) => copyCell(column, input)) : [];
  for (const { name } of added) {
    if (copied.every((cell) => cell.name !== name)) continue;
    throw new Refusal(
      `an output column with the name of an input column, "${name}"`,
      place,
      'give the output column another name, or set includeInputColumns to No',
    );
  }
  return selectCells([...copied, ...added], `FROM ${input.sql}`, place);
}
