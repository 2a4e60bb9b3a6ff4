import { joinTexts } from '../core/source-text.ts';
import { Refusal } from '../core/refusal.ts';
import { textLiteral } from '../dialect/text-literal.ts';
import { translateExpression } from '../dialect/translate.ts';
import { quoteName } from '../duckdb/catalog/physical-name.ts';
import { fixedText } from '../parameters/read-rows.ts';
import { type Binding, type ComponentType, onlyInput, type RowsOutput } from './component-type.ts';
import { findInputColumn, storedName } from './find-column.ts';
import { placeOf, readPair, requiredRows, requiredText } from './read-cells.ts';
import { copyCell, selectCells, valueCell } from './select-list.ts';

export const constructVariant: ComponentType = {
  type: 'construct-variant',
  group: 'nested',
  summary: 'Adds a column with an object that is built from other columns; NULLs are left out of the object.',
  inputs: [1, 1],
  parameters: {
    columnMappings: { form: 'rows', cells: 2, meaning: 'in each row: a column, and its key in the object' },
    outputSlot: { form: 'text', meaning: 'the name of the new column' },
  },
  bind: bindObject,
};

/** Writes the object as SQL would write it: `OBJECT_CONSTRUCT('key', column, …)`. */
function bindObject(binding: Binding): RowsOutput {
  const input = onlyInput(binding);
  const { dialect } = binding;
  const slot = requiredText(binding, 'outputSlot');
  const members = requiredRows(binding, 'columnMappings').flatMap((row, index) => {
    const [column, key] = readPair(row, 'column', 'key');
    const literal = textLiteral(key.text, dialect.warehouse);
    if (literal === undefined) throw new Refusal(`the key ${JSON.stringify(key.text)}`, key.placeOf(0));
    const { name } = findInputColumn(column, input, dialect);
    return [
      fixedText(`${index === 0 ? '' : ', '}${literal}, `, key.placeOf(0)),
      fixedText(quoteName(name), column.placeOf(0)),
    ];
  });
  const place = placeOf(binding, 'columnMappings');
  const text = joinTexts([fixedText('OBJECT_CONSTRUCT(', place), ...members, fixedText(')', place)]);
  const value = translateExpression(text, new Map([['', input]]), dialect);
  const cells = [
    ...input.columns.map((column) => copyCell(column, input)),
    valueCell(storedName(slot.text, dialect.warehouse), value),
  ];
  return selectCells(cells, `FROM ${input.sql}`, slot.placeOf(0));
}
