import { childOf } from '../../lib/yaml/yaml-node.ts';
import { Refusal } from '../core/refusal.ts';
import type { SourceText } from '../core/source-text.ts';
import type { DialectContext, TranslatedExpression } from '../dialect/dialect.ts';
import { translateExpression } from '../dialect/translate.ts';
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
  summary: 'Adds columns that are calculated from others, or replaces columns.',
  inputs: [1, 1],
  parameters: {
    includeInputColumns,
    calculations: {
      form: 'rows',
      meaning: 'rows of an SQL expression and a name; the name of an input column replaces it in its place',
    },
  },
  bind(binding) {
    const { parameters, reader, dialect } = binding;
    const input = onlyInput(binding);
    const calculated: Cell[] = [];
    for (const row of readRows(childOf(parameters, 'calculations'), reader)) {
      const [expression, name] = readPair(row, 'expression', 'name');
      const value = calculate(expression, input, calculated, dialect);
      calculated.push(valueCell(storedName(name.text, dialect.warehouse), value));
    }
    const cells = includesInput(binding)
      ? replaceCells(
          input.columns.map((column) => copyCell(column, input)),
          calculated,
        )
      : calculated;
    return selectCells(cells, `FROM ${input.sql}`, placeOfNode(parameters, reader));
  },
};

/** Columns of the input win over earlier calculated columns, whose SQL is inserted where they are named. */
function calculate(
  expression: SourceText,
  input: Input,
  earlier: readonly Cell[],
  dialect: DialectContext,
): TranslatedExpression {
  const values = new Map(earlier.map((cell) => [cell.name, cell]));
  const value = translateExpression(expression, new Map([['', input]]), dialect, values);
  const sequence = earlier.find(({ sql }) => sql.includes('nextval(') && value.sql.includes(sql));
  if (sequence === undefined) return value;
  const construct = `a reference to "${sequence.name}", which takes a number from a sequence`;
  throw new Refusal(construct, expression.placeOf(0), 'use a second calculator');
}
