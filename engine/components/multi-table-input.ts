import { childOf } from '../../lib/yaml/yaml-node.ts';
import { Refusal, SqlError } from '../core/refusal.ts';
import type { Table } from '../core/relation.ts';
import type { SourceText } from '../core/source-text.ts';
import { quoteText } from '../duckdb/catalog/physical-name.ts';
import { expectReadable } from '../duckdb/catalog/readable-view.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import { readYesNo } from '../parameters/parameter-reader.ts';
import { readNames } from '../parameters/read-rows.ts';
import { castToCommon, commonColumnType } from './common-type.ts';
import type { Binding, ComponentType } from './component-type.ts';
import { findColumn } from './find-column.ts';
import { namedTable, tableText } from './find-table.ts';
import { isLike } from './is-like.ts';
import { placeOf } from './read-cells.ts';
import { type Cell, copyCell, selectCells, TEXT } from './select-list.ts';
import { tableParameters } from './table-parameters.ts';

export const multiTableInput: ComponentType = {
  type: 'multi-table-input',
  group: 'read',
  summary: 'Reads the same columns from all tables and views whose names match a pattern.',
  inputs: [0, 0],
  parameters: {
    ...tableParameters,
    patternType: { form: 'choice', meaning: 'the kind of pattern', choices: ['Like'] },
    pattern: {
      form: 'text',
      meaning:
        'the pattern of the names: `%` means any text and `_` means any single character; upper and lower case must match',
    },
    castTypes: {
      form: 'yes-no',
      meaning: 'whether columns with the same name but different types are converted to one type',
    },
    addSourceTable: {
      form: 'yes-no',
      meaning: 'whether a last column, `source_table`, contains the name of the table',
    },
    columns: { form: 'names', meaning: 'the columns, in the order of the output' },
  },
  bind(binding) {
    const { parameters, reader } = binding;
    const names = readNames(childOf(parameters, 'columns'), reader);
    const place = placeOf(binding, 'columns');
    if (names.length === 0)
      throw new ParameterError('the parameter columns names no column: list at least one', place);
    const tables = matchingTables(binding);
    const isCast = readYesNo(childOf(parameters, 'castTypes'), reader, false);
    const addsTable = readYesNo(childOf(parameters, 'addSourceTable'), reader, false);
    const cells = names.map((name) => cellsOf(name, tables, isCast, binding));
    const parts = tables.map((table, index) => {
      const tableCells = cells.flatMap((sameColumn) => sameColumn[index] ?? []);
      const source: Cell = { name: 'source_table', type: TEXT, sql: quoteText(table.table) };
      return selectCells(addsTable ? [...tableCells, source] : tableCells, `FROM ${table.sql}`, place);
    });
    const columns = parts[0]?.columns ?? [];
    const isOfTables = tables.every(({ kind }) => kind === 'table');
    return { kind: 'rows', sql: parts.map(({ sql }) => sql).join(' UNION ALL '), columns, isOfTables };
  },
};

/** The tables and views whose names match, sorted by name. There is at least one. */
function matchingTables(binding: Binding): readonly Table[] {
  const pattern = namedTable(binding, 'pattern');
  if (pattern.table.includes('\\')) throw new Refusal('a backslash in the parameter pattern', pattern.place);
  const { catalog, searchTables } = binding.dialect;
  const matches = (table: string) => isLike(table, pattern.table);
  searchTables?.(pattern, matches);
  const tables = catalog.list(pattern.database, pattern.schema).filter(({ table }) => matches(table));
  for (const table of tables) expectReadable(table, catalog, tableText(table), pattern.place);
  if (tables.length > 0) return tables;
  throw new SqlError(
    `no table or view has a name that matches the pattern ${tableText(pattern)} (upper and lower case must match)`,
    { place: pattern.place, code: 'missing-table' },
  );
}

/** For each table, one column with the common type of all tables. */
function cellsOf(
  name: SourceText,
  tables: readonly Table[],
  isCast: boolean,
  { dialect }: Binding,
): readonly Cell[] {
  const cells = tables.map((table) => {
    const column = findColumn(table.columns, name, dialect, `the table ${tableText(table)}`);
    dialect.noteColumn?.(table.sql, column.name);
    return copyCell(column, table);
  });
  const place = name.placeOf(0);
  const type = commonColumnType(cells, isCast, place, dialect);
  return cells.map((cell) => ({ name: cell.name, ...castToCommon(cell, type, place, dialect) }));
}
