import { childOf } from '../../lib/yaml/yaml-node.ts';
import { Refusal, SqlError } from '../core/refusal.ts';
import { physicalTable, quoteName } from '../duckdb/catalog/physical-name.ts';
import { placeOfNode, readText } from '../parameters/parameter-reader.ts';
import { readNames } from '../parameters/read-rows.ts';
import type { TableKey } from '../parameters/read-table.ts';
import type { Binding, ComponentType, RowsOutput } from './component-type.ts';
import { checkColumns, findColumn, storedName } from './find-column.ts';
import { existingTable, namedTable, tableText } from './find-table.ts';
import { tableParameters } from './table-parameters.ts';

export const tableInput: ComponentType = {
  type: 'table-input',
  aliases: ['table-input-1', 'table-input-2'],
  group: 'read',
  summary: 'Reads columns from a table or view.',
  inputs: [0, 0],
  parameters: {
    ...tableParameters,
    targetTable: { form: 'text', meaning: 'the name of the table or view' },
    columnNames: { form: 'names', meaning: 'the columns, in the order of the output' },
    timeOffset: {
      form: 'text',
      meaning: 'would read the table as it was in the past; not supported, so it must be empty',
    },
    offsetType: { form: 'text', meaning: 'the unit of `timeOffset`', isIgnored: true },
  },
  bind(binding) {
    const { parameters, reader } = binding;
    const offset = readText(childOf(parameters, 'timeOffset'), reader);
    if (offset !== undefined)
      throw new Refusal('a table read at a past time', offset.placeOf(0), 'leave timeOffset empty');
    return bindTable(binding, 'targetTable');
  },
};

/** Reads the columns that `columnNames` lists from the table or view that the parameters name. */
export function bindTable(binding: Binding, key: TableKey): RowsOutput {
  const { parameters, reader, dialect } = binding;
  const names = readNames(childOf(parameters, 'columnNames'), reader);
  const name = physicalTable(namedTable(binding, key));
  // Also of a table that does not exist here: it may be one from outside.
  for (const { text } of names) dialect.noteColumn?.(name, storedName(text, dialect.warehouse));
  const table = existingTable(binding, key);
  const place = placeOfNode(parameters, reader);
  if (names.length === 0) throw new SqlError('no columns are listed in `columnNames`', { place });
  const columns = checkColumns(
    names.map((each) => findColumn(table.columns, each, dialect, `the table ${tableText(table)}`)),
    place,
  );
  const sql = `SELECT ${columns.map((column) => quoteName(column.name)).join(', ')} FROM ${table.sql}`;
  return { kind: 'rows', sql, columns, isOfTables: table.kind === 'table' };
}
