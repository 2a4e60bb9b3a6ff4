import { lowerAscii } from '../core/ascii-case.ts';
import { Refusal, SqlError, type Place } from '../core/refusal.ts';
import type { Column } from '../core/relation.ts';
import type { SourceText } from '../core/source-text.ts';
import type { WarehouseKind } from '../core/sql-type.ts';
import type { DialectContext } from '../core/dialect.ts';
import type { Input } from './component-type.ts';

/**
 * The stored form of a name in a component's parameters: in lower case in `WAREHOUSE_TWO`, unchanged in
 * `WAREHOUSE_ONE`.
 */
export function storedName(name: string, kind: WarehouseKind): string {
  return kind === 'WAREHOUSE_TWO' ? lowerAscii(name) : name;
}

/**
 * Finds the column that a parameter names. `of` describes what contains the columns, such as `the input "orders"`.
 */
export function findColumn(
  columns: readonly Column[],
  name: SourceText,
  { warehouse, missingColumn }: DialectContext,
  of: string,
): Column {
  const stored = storedName(name.text, warehouse);
  const storedColumn = columns.find((column) => column.name === stored);
  if (storedColumn !== undefined) return storedColumn;
  const similar = columns.find((column) => column.name.toLowerCase() === stored.toLowerCase());
  const hint =
    similar === undefined ? list(columns) : `; it has "${similar.name}": upper and lower case differ`;
  const error = new SqlError(`the column "${name.text}" was not found in ${of}${hint}`, {
    place: name.placeOf(0),
    code: 'missing-column',
  });
  if (missingColumn?.(error) === true) return { name: stored, type: { name: 'VARCHAR', length: undefined } };
  throw error;
}

/** The columns of the input that a parameter names. */
export function findInputColumns(
  names: readonly SourceText[],
  input: Input,
  dialect: DialectContext,
): readonly Column[] {
  return names.map((name) => findInputColumn(name, input, dialect));
}

/** The column of the input that a parameter names. */
export function findInputColumn(name: SourceText, input: Input, dialect: DialectContext): Column {
  return findColumn(input.columns, name, dialect, `the input "${input.name}"`);
}

/** Refuses output columns whose names are equal or differ only in case, because DuckDB cannot tell them apart. */
export function checkColumns(columns: readonly Column[], place: Place): readonly Column[] {
  const seen = new Map<string, string>();
  for (const { name } of columns) {
    const before = seen.get(name.toLowerCase());
    if (before === name) {
      throw new SqlError(`two output columns have the name "${name}"; rename one of them`, { place });
    }
    if (before !== undefined) {
      const both = `output columns "${before}" and "${name}", whose names differ only in upper and lower case`;
      throw new Refusal(both, place, 'rename one of them');
    }
    seen.set(name.toLowerCase(), name);
  }
  return columns;
}

function list(columns: readonly Column[]): string {
  return `; it has ${columns.map(({ name }) => `"${name}"`).join(', ')}`;
}
