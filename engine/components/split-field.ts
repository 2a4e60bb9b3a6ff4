import { withoutBlanks } from '../core/written-number.ts';
import { Refusal } from '../core/refusal.ts';
import { textLiteral } from '../dialect/text-literal.ts';
import { translateExpression } from '../dialect/translate.ts';
import { quoteName } from '../duckdb/catalog/physical-name.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import { fixedText } from '../parameters/read-rows.ts';
import { type Binding, type ComponentType, type Input, onlyInput } from './component-type.ts';
import { findInputColumn, storedName } from './find-column.ts';
import { includesInput } from './include-input.ts';
import { placeOf, readPair, requiredRows, requiredText } from './read-cells.ts';
import { type Cell, copyCell, selectCells, valueCell } from './select-list.ts';

export const splitField: ComponentType = {
  type: 'split-field',
  group: 'column',
  summary: 'Splits the texts of a column, and adds their parts as columns.',
  inputs: [1, 1],
  parameters: {
    inputColumn: { form: 'text', meaning: 'the column that is split' },
    delimiter: { form: 'text', meaning: 'the text between two parts' },
    outputColumns: {
      form: 'rows',
      cells: 2,
      meaning:
        'in each row: the number of a part (the first part is 0), and the name of its column; a missing part becomes an empty text',
    },
    includeInputColumn: { form: 'yes-no', meaning: 'whether the output also has the column that is split' },
  },
  bind(binding) {
    const input = onlyInput(binding);
    const split = findInputColumn(requiredText(binding, 'inputColumn'), input, binding.dialect);
    const isKept = includesInput(binding, 'includeInputColumn');
    const copied = input.columns
      .filter((column) => isKept || column !== split)
      .map((column) => copyCell(column, input));
    const parts = readParts(binding, input, split.name);
    return selectCells([...copied, ...parts], `FROM ${input.sql}`, placeOf(binding, 'outputColumns'));
  },
};

function readParts(binding: Binding, input: Input, column: string): readonly Cell[] {
  const { dialect } = binding;
  const delimiter = requiredText(binding, 'delimiter');
  const literal = textLiteral(delimiter.text, dialect.warehouse);
  if (literal === undefined) {
    throw new Refusal(`the delimiter ${JSON.stringify(delimiter.text)}`, delimiter.placeOf(0));
  }
  return requiredRows(binding, 'outputColumns').map((row) => {
    const [index, name] = readPair(row, 'number', 'output column');
    if (!/^\d{1,6}$/.test(withoutBlanks(index.text))) {
      const message = `expected the number of a part (0 or more) in ${row.parameter}, found "${index.text}"`;
      throw new ParameterError(message, index.placeOf(0));
    }
    const call = `SPLIT_PART(${quoteName(column)}, ${literal}, ${Number(index.text) + 1})`;
    const value = translateExpression(fixedText(call, index.placeOf(0)), new Map([['', input]]), dialect);
    return valueCell(storedName(name.text, dialect.warehouse), value);
  });
}
