import { numberOf } from '../../lib/core/text/number-of.ts';
import { childOf } from '../../lib/yaml/yaml-node.ts';
import type { DialectContext } from '../core/dialect.ts';
import { castValue } from '../dialect/convert-value.ts';
import { quoteName, quoteText } from '../duckdb/catalog/physical-name.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import { readRows, type Row } from '../parameters/read-rows.ts';
import { readTypedRows } from '../parameters/read-typed-rows.ts';
import type { Column } from '../core/relation.ts';
import type { ComponentType } from './component-type.ts';
import { storedName } from './find-column.ts';
import { placeOf } from './read-cells.ts';
import { type Cell, selectCells, TEXT } from './select-list.ts';

export const fixedFlow: ComponentType = {
  type: 'fixed-flow',
  group: 'read',
  summary: 'Returns rows that are written in the pipeline file.',
  inputs: [0, 0],
  parameters: {
    columns: { form: 'typed rows', meaning: 'in each row: name, type, size and decimal places' },
    values: {
      form: 'rows',
      meaning:
        'the rows, with a text for each column, which is converted to the type of the column; an empty text becomes NULL',
    },
  },
  bind(binding) {
    const { parameters, reader, dialect } = binding;
    const place = placeOf(binding, 'columns');
    const columns = readTypedRows(childOf(parameters, 'columns'), reader, dialect.warehouse).map(
      ({ name, type }): Column => ({ name: storedName(name.text, dialect.warehouse), type }),
    );
    if (columns.length === 0) throw new ParameterError('the parameter columns is not set', place);
    const rows = readRows(childOf(parameters, 'values'), reader).map(
      (row, index) => `(${rowCells(row, index, columns, dialect).join(', ')})`,
    );
    const tuples = rows.length > 0 ? rows.join(', ') : `(${columns.map(() => noText).join(', ')})`;
    const names = columns.map(({ name }) => quoteName(name)).join(', ');
    const cells = columns.map(({ name, type }): Cell => {
      const text = { sql: `given.${quoteName(name)}`, type: TEXT };
      return {
        name,
        ...(type.name === 'VARCHAR' ? { ...text, type } : castValue(text, type, place, dialect)),
      };
    });
    const from = `FROM (VALUES ${tuples}) AS given(${names})${rows.length > 0 ? '' : ' WHERE FALSE'}`;
    return selectCells(cells, from, place);
  },
};

const noText = 'CAST(NULL AS VARCHAR)';

/**
 * The texts of a row as literals. A whole column is converted at once, because DuckDB is slow if it has to cast many
 * literals.
 */
function rowCells(
  { cells, place, parameter }: Row,
  index: number,
  columns: readonly Column[],
  dialect: DialectContext,
): readonly string[] {
  if (cells.length !== columns.length) {
    const message = `row ${index + 1} of ${parameter} has ${numberOf(cells.length, 'value')}, but the parameter columns lists ${numberOf(columns.length, 'column')}`;
    throw new ParameterError(message, place);
  }
  return columns.map(({ type }, column) => {
    const cell = cells[column];
    if (cell === undefined || cell.text === '') return noText;
    // If the warehouse refuses a literal, the error has the place of its cell in the file.
    const { sql } = castValue(cell.text, type, () => cell.placeOf(0), dialect);
    return type.name === 'VARCHAR' && type.length !== undefined ? sql : quoteText(cell.text);
  });
}
