import type { RowsOutput } from '../../components/component-type.ts';
import { checkColumns, storedName } from '../../components/find-column.ts';
import type { Place } from '../../core/refusal.ts';
import type { WarehouseKind } from '../../core/sql-type.ts';
import { duckdbType } from '../../duckdb/catalog/column-types.ts';
import { columnTexts, convertSql } from '../../duckdb/fill-table.ts';
import { quoteName, quoteText } from '../../duckdb/catalog/physical-name.ts';
import { cellsOf } from './apply-mock.ts';
import { inferColumns } from './infer-columns.ts';
import type { MockRows } from './mock.ts';

/** Converts the rows in a mock to the output of a component of a transformation. */
export function mockOutput(mock: MockRows, kind: WarehouseKind, place: Place): RowsOutput {
  const written = mock.columns ?? inferColumns(mock.rows, kind);
  const columns = checkColumns(
    written.map(({ name, type }) => ({ name: storedName(name, kind), type })),
    place,
  );
  const readers = columns.map((column) => columnTexts(column, kind));
  const rows = cellsOf(mock.rows, written).map((cells, row) =>
    readers.map((read, index) => {
      const text = read(cells[index] ?? null, row);
      return text === null ? 'NULL' : quoteText(text);
    }),
  );
  const list = columns
    .map(({ name, type }, index) => `${convertSql(`c${index}`, type)} AS ${quoteName(name)}`)
    .join(', ');
  if (columns.length === 0 || rows.length === 0) {
    const nulls = columns.map(({ name, type }) => `CAST(NULL AS ${duckdbType(type)}) AS ${quoteName(name)}`);
    return { kind: 'rows', sql: `SELECT ${nulls.join(', ')} WHERE FALSE`, columns };
  }
  // The first row gives the columns their names and the type text, even if it has only NULLs.
  const [first = [], ...others] = rows;
  const named = first.map((cell, index) => `CAST(${cell} AS VARCHAR) AS c${index}`).join(', ');
  const values = [`SELECT ${named}`, ...others.map((cells) => `SELECT ${cells.join(', ')}`)];
  return { kind: 'rows', sql: `SELECT ${list} FROM (${values.join(' UNION ALL ')})`, columns };
}
