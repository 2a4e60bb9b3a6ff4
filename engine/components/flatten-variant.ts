import { withoutBlanks } from '../core/written-number.ts';
import { childOf } from '../../lib/yaml/yaml-node.ts';
import { Refusal, SqlError } from '../core/refusal.ts';
import type { SourceText } from '../core/source-text.ts';
import { FLATTEN_MODES, type FlattenMode } from '../dialect/write/query/flatten.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import { fixedText, readRows, type Row } from '../parameters/read-rows.ts';
import { readType } from '../parameters/read-typed-rows.ts';
import { type Binding, type ComponentType, onlyInput, type RowsOutput } from './component-type.ts';
import { findInputColumn } from './find-column.ts';
import { type Flattening, openFlattening } from './flattening.ts';
import { includeInputColumns, includesInput } from './include-input.ts';
import { placeOf, requiredCell, requiredRows } from './read-cells.ts';
import { type Cell, selectCells } from './select-list.ts';

export const flattenVariant: ComponentType = {
  type: 'flatten-variant',
  group: 'nested',
  summary:
    'Turns the properties of semi-structured columns into columns, and the items of arrays or objects into rows.',
  inputs: [1, 1],
  parameters: {
    includeInputColumns,
    columnMapping: {
      form: 'rows',
      cells: 4,
      meaning:
        'in each row: a column, or the alias of a row of `columnFlattens`; a property of it (empty: the whole value); its type; the name of the output column',
    },
    columnFlattens: {
      form: 'rows',
      cells: 6,
      meaning:
        'in each row: a column, or the alias of an earlier row; a property of it (empty: the whole value); the alias of its items; whether rows without items are kept; recursive (only `No` is supported); what is flattened: Both, Array or Object',
    },
  },
  bind: bindFlatten,
};

/** The items of each flattening, by alias, as values in the warehouse's SQL. */
type Items = Map<string, string>;

function bindFlatten(binding: Binding): RowsOutput {
  const { parameters, reader } = binding;
  const flattening = openFlattening(binding);
  const items: Items = new Map();
  for (const row of readRows(childOf(parameters, 'columnFlattens'), reader)) {
    flatten(binding, row, flattening, items);
  }
  const mapped = requiredRows(binding, 'columnMapping').map((row) => cellOf(binding, row, flattening, items));
  const replaced = new Set(mapped.map(({ name }) => name));
  const before = includesInput(binding)
    ? flattening.inputCells.filter(({ name }) => !replaced.has(name))
    : [];
  return selectCells([...before, ...mapped], flattening.from(), placeOf(binding, 'columnMapping'));
}

function flatten(binding: Binding, row: Row, flattening: Flattening, items: Items): void {
  const [, , , outer, recursive, mode] = row.cells;
  const alias = requiredCell(row, 2, 'alias');
  if (items.has(alias.text) || onlyInput(binding).columns.some(({ name }) => name === alias.text)) {
    const message = `the alias "${alias.text}" in ${row.parameter} is the name of a column or of another row; choose another alias`;
    throw new SqlError(message, { place: alias.placeOf(0) });
  }
  if (isYes(recursive, row)) {
    const hint = `set the fifth cell of the row of ${row.parameter} to No`;
    throw new Refusal('a recursive flattening', recursive?.placeOf(0) ?? row.place, hint);
  }
  const value = valueOf(binding, row, flattening, items);
  items.set(alias.text, flattening.flatten(value, { isOuter: isYes(outer, row), mode: modeOf(mode) }));
}

function isYes(cell: SourceText | undefined, { parameter }: Row): boolean {
  const word = cell?.text.trim().toLowerCase() ?? '';
  if (['', 'no', 'false'].includes(word)) return false;
  if (['yes', 'true'].includes(word) || cell === undefined) return true;
  throw new ParameterError(`expected Yes or No in ${parameter}, found "${cell.text}"`, cell.placeOf(0));
}

function modeOf(cell: SourceText | undefined): FlattenMode {
  const word = cell?.text.trim().toUpperCase() ?? '';
  if (cell === undefined || word === '') return 'BOTH';
  const mode = FLATTEN_MODES.find((each) => each === word);
  if (mode !== undefined) return mode;
  throw new Refusal(`the mode ${cell.text}`, cell.placeOf(0), 'use Both, Array or Object');
}

function cellOf(binding: Binding, row: Row, flattening: Flattening, items: Items): Cell {
  const [column, property, , alias] = row.cells;
  const type = readType({ type: requiredCell(row, 2, 'type') }, binding.dialect.warehouse);
  const names = [alias, property, column].map((cell) => cell?.text ?? '');
  const name = names.find((each) => each !== '') ?? '';
  return flattening.cell(name, valueOf(binding, row, flattening, items), type);
}

/** A path to a value inside semi-structured data: `a.b[0]."c d"`. */
const path = /^(?:[\p{L}_][\p{L}\p{N}_$]*|"[^"\\]+")(?:\.(?:[\p{L}_][\p{L}\p{N}_$]*|"[^"\\]+")|\[\d+\])*$/u;

/** The value that the first two cells name: a column or an alias, and a property of it. */
function valueOf(binding: Binding, row: Row, flattening: Flattening, items: Items): SourceText {
  const column = requiredCell(row, 0, 'column');
  const item = items.get(column.text);
  const value = item ?? flattening.column(findInputColumn(column, onlyInput(binding), binding.dialect));
  const property = withoutBlanks(row.cells[1]?.text ?? '');
  if (property === '') return fixedText(value, column.placeOf(0));
  const place = row.cells[1]?.placeOf(0) ?? row.place;
  if (path.test(property)) return fixedText(`${value}:${property}`, place);
  throw new Refusal(`the property ${JSON.stringify(property)}`, place, 'put a key in double quotes');
}
