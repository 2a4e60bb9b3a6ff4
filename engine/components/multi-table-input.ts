import { childOf } from '../../lib/yaml/yaml-node.ts';
import { Refusal, SqlError } from '../core/refusal.ts';
import type { Table } from '../core/relation.ts';
import type { SourceText } from '../core/source-text.ts';
import { quoteText } from '../duckdb/physical-name.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import { readYesNo } from '../parameters/parameter-reader.ts';
import { readNames } from '../parameters/read-rows.ts';
import { castCell, commonType } from './common-type.ts';
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
  summary: 'Reads the same columns of all tables and views whose names match a pattern.',
  inputs: [0, 0],
  parameters: {
    ...tableParameters,
    patternType: { form: 'choice', meaning: 'the language of the pattern', choices: ['Like'] },
    pattern: { form: 'text', meaning: 'the names: `%` is any text and `_` any character; case counts' },
    castTypes: { form: 'yes-no', meaning: 'whether columns of one name and different types are converted' },
    addSourceTable: {
      form: 'yes-no',
      meaning: 'whether the column `source_table` follows, with the name of the table',
    },
    columns: { form: 'names', meaning: 'the columns, in the order of the output' },
  },
  bind(binding) {
    const { parameters, reader } = binding;
    const names = readNames(childOf(parameters, 'columns'), reader);
    const place = placeOf(binding, 'columns');
    if (names.length === 0) throw new ParameterError('the parameter columns is not set', place);
    const tables = matchingTables(binding);
    const rows = tables.map((table) => readCells(names, table, binding));
    const isCast = readYesNo(childOf(parameters, 'castTypes'), reader, false);
    const addsTable = readYesNo(childOf(parameters, 'addSourceTable'), reader, false);
    const types = names.map((name, index) =>
      commonType(
        name.text,
        rows.flatMap((cells) => cells[index]?.type ?? []),
        isCast,
        name.placeOf(0),
      ),
    );
    const parts = tables.map((table, part) => {
      const cells = names.flatMap((name, index): readonly Cell[] => {
        const [cell, type] = [rows[part]?.[index], types[index]];
        return cell === undefined || type === undefined ? [] : [castCell(cell, type, name, binding.dialect)];
      });
      const source: Cell = { name: 'source_table', type: TEXT, sql: quoteText(table.table) };
      return selectCells(addsTable ? [...cells, source] : cells, `FROM ${table.sql}`, place);
    });
    const columns = parts[0]?.columns ?? [];
    return { kind: 'rows', sql: parts.map(({ sql }) => sql).join(' UNION ALL '), columns };
  },
};

/** At least one, in the order of their names. */
function matchingTables(binding: Binding): readonly Table[] {
  const pattern = namedTable(binding, 'pattern');
  if (pattern.table.includes('\\')) throw new Refusal('a backslash in a pattern', pattern.place);
  const { catalog } = binding.dialect;
  const tables = catalog
    .list(pattern.database, pattern.schema)
    .filter(({ table }) => isLike(table, pattern.table));
  if (tables.length > 0) return tables;
  throw new SqlError(`no table matches ${tableText(pattern)}`, { place: pattern.place });
}

function readCells(names: readonly SourceText[], table: Table, { dialect }: Binding): readonly Cell[] {
  return names.map((name) => {
    const column = findColumn(table.columns, name, dialect, `the table ${tableText(table)}`);
    return copyCell(column, table);
  });
}
