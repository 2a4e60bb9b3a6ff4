import { childOf } from '../../lib/yaml/yaml-node.ts';
import type { SourceText } from '../core/source-text.ts';
import type { DialectContext } from '../core/dialect.ts';
import { translateExpression } from '../dialect/translate.ts';
import { quoteName } from '../duckdb/catalog/physical-name.ts';
import { placeOfNode } from '../parameters/parameter-reader.ts';
import { readRows } from '../parameters/read-rows.ts';
import { type ComponentType, type Input, onlyInput } from './component-type.ts';
import { storedName } from './find-column.ts';
import { includeInputColumns, includesInput } from './include-input.ts';
import { readPair } from './read-cells.ts';
import { type Cell, copyCell, replaceCells, selectCells, valueCell } from './select-list.ts';

export const calculator: ComponentType = {
  type: 'calculator',
  group: 'column',
  summary: 'Adds columns that are calculated from other columns, or replaces columns.',
  inputs: [1, 1],
  parameters: {
    includeInputColumns,
    calculations: {
      form: 'rows',
      cells: 2,
      meaning:
        'in each row: an SQL expression, and the name of its column; with the name of an input column, it replaces that column',
    },
  },
  bind(binding) {
    const { parameters, reader, dialect } = binding;
    const input = onlyInput(binding);
    const calculated: Calculated[] = [];
    for (const row of readRows(childOf(parameters, 'calculations'), reader)) {
      const [expression, name] = readPair(row, 'expression', 'name');
      calculated.push(
        calculate(expression, storedName(name.text, dialect.warehouse), input, calculated, dialect),
      );
    }
    const { rows, cells } = stagesOf(input, calculated);
    const output = includesInput(binding)
      ? replaceCells(
          input.columns.map((column) => copyCell(column, input)),
          cells,
        )
      : cells;
    const written = calculated.map(({ source }, index) => ({
      source,
      sql: `SELECT ${cells[index]?.sql ?? 'NULL'} FROM ${rows}`,
    }));
    return { ...selectCells(output, `FROM ${rows}`, placeOfNode(parameters, reader)), written };
  },
};

/** A calculated column. */
interface Calculated {
  readonly source: SourceText;
  readonly cell: Cell;
  /** The SQL with which later columns refer to this column. */
  readonly reference: string;
  /** The earlier calculated columns that the expression refers to. */
  readonly uses: readonly Calculated[];
}

/**
 * Translates an expression. If a name is both a column of the input and an earlier calculated column, it refers to
 * the column of the input.
 */
function calculate(
  expression: SourceText,
  name: string,
  input: Input,
  earlier: readonly Calculated[],
  dialect: DialectContext,
): Calculated {
  const values = new Map(
    earlier.map(({ cell, reference }) => [cell.name, { sql: reference, type: cell.type }]),
  );
  const cell = valueCell(name, translateExpression(expression, new Map([['', input]]), dialect, values));
  const uses = earlier.filter(({ reference }) => cell.sql.includes(reference));
  return { source: expression, cell, reference: `${input.sql}.${ownName(earlier.length)}`, uses };
}

function ownName(index: number): string {
  return quoteName(`millrace calculated ${index}`);
}

/**
 * The rows of the input with the columns that other calculated columns use. If such columns use each other in a
 * chain, each link of the longest chain becomes one query around the previous query. If each expression were copied
 * to every place where its column is used, the SQL would grow with each use.
 */
function stagesOf(
  input: Input,
  calculated: readonly Calculated[],
): { readonly rows: string; readonly cells: readonly Cell[] } {
  const used = new Set(calculated.flatMap(({ uses }) => uses));
  const stages = new Map<Calculated, number>();
  for (const each of calculated)
    stages.set(each, Math.max(0, ...each.uses.map((use) => (stages.get(use) ?? 0) + 1)));
  let rows = input.sql;
  for (let stage = 0; stage <= Math.max(-1, ...[...used].map((each) => stages.get(each) ?? 0)); stage += 1) {
    const added = calculated.flatMap((each, index) =>
      used.has(each) && stages.get(each) === stage ? [`${each.cell.sql} AS ${ownName(index)}`] : [],
    );
    rows = `(SELECT ${input.sql}.*, ${added.join(', ')} FROM ${rows}) AS ${input.sql}`;
  }
  const cells = calculated.map((each) =>
    used.has(each) ? { ...each.cell, sql: each.reference } : each.cell,
  );
  return { rows, cells };
}
