import { childOf } from '../../lib/yaml/yaml-node.ts';
import type { DialectContext } from '../dialect/dialect.ts';
import { castValue } from '../dialect/convert-value.ts';
import { duckdbType } from '../duckdb/column-types.ts';
import { quoteName } from '../duckdb/physical-name.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import { readRows, type Row } from '../parameters/read-rows.ts';
import { readTypedRows } from '../parameters/read-typed-rows.ts';
import type { Column } from '../core/relation.ts';
import type { ComponentType } from './component-type.ts';
import { checkColumns, storedName } from './find-column.ts';
import { placeOf } from './read-cells.ts';

export const fixedFlow: ComponentType = {
  type: 'fixed-flow',
  group: 'read',
  summary: 'Gives rows that the file itself has.',
  inputs: [0, 0],
  parameters: {
    columns: { form: 'typed rows', meaning: 'rows of name, type, size and decimal places' },
    values: {
      form: 'rows',
      meaning: 'the rows, a text for each column, which is converted to its type; an empty one is NULL',
    },
  },
  bind(binding) {
    const { parameters, reader, dialect } = binding;
    const place = placeOf(binding, 'columns');
    const columns = readTypedRows(childOf(parameters, 'columns'), reader, dialect.warehouse).map(
      ({ name, type }): Column => ({ name: storedName(name.text, dialect.warehouse), type }),
    );
    checkColumns(columns, place);
    if (columns.length === 0) throw new ParameterError('the parameter columns is not set', place);
    const rows = readRows(childOf(parameters, 'values'), reader).map(
      (row, index) => `(${rowCells(row, index, columns, dialect).join(', ')})`,
    );
    return { kind: 'rows', sql: rowsSql(rows, columns), columns };
  },
};

function rowCells(
  { cells, place }: Row,
  index: number,
  columns: readonly Column[],
  dialect: DialectContext,
): readonly string[] {
  if (cells.length !== columns.length) {
    const message = `row ${index + 1} has ${cells.length} values; there are ${columns.length} columns`;
    throw new ParameterError(message, place);
  }
  return columns.map(({ type }, column) => {
    const cell = cells[column];
    if (cell === undefined || cell.text === '') return `CAST(NULL AS ${duckdbType(type)})`;
    return castValue(cell.text, type, cell.placeOf(0), dialect).sql;
  });
}

function rowsSql(rows: readonly string[], columns: readonly Column[]): string {
  const names = columns.map(({ name }) => quoteName(name)).join(', ');
  if (rows.length > 0) return `SELECT * FROM (VALUES ${rows.join(', ')}) AS given(${names})`;
  const none = columns.map(({ name, type }) => `CAST(NULL AS ${duckdbType(type)}) AS ${quoteName(name)}`);
  return `SELECT ${none.join(', ')} WHERE FALSE`;
}
