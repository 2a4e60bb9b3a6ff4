import type { Place } from '../core/refusal.ts';
import type { Column } from '../core/relation.ts';
import type { NamedRelation, TranslatedExpression } from '../core/dialect.ts';
import { duckdbType } from '../duckdb/catalog/column-types.ts';
import { quoteName } from '../duckdb/catalog/physical-name.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import type { RowsOutput } from './component-type.ts';
import { checkColumns } from './find-column.ts';

/** An output column, with an SQL expression whose type in DuckDB is exactly the column's type. */
export interface Cell extends Column {
  readonly sql: string;
}

export const TEXT = { name: 'VARCHAR', length: undefined } as const;

/** A cell with a column of a relation, under the same name or another name. */
export function copyCell(column: Column, { sql }: NamedRelation, name = column.name): Cell {
  return { name, type: column.type, sql: `${sql}.${quoteName(column.name)}` };
}

/**
 * A cell with a translated expression, cast if DuckDB's own type differs. For example, `count(*)` is a BIGINT in
 * DuckDB, and a NULL without a type is an INTEGER.
 */
export function valueCell(name: string, { sql, type: expressionType }: TranslatedExpression): Cell {
  const type = expressionType.name === 'NULL' ? TEXT : expressionType;
  return { name, type, sql: `CAST(${sql} AS ${duckdbType(type)})` };
}

/**
 * Combines the cells of the input with new cells. A new cell replaces the input cell with the same name. Otherwise it
 * comes after all other cells.
 */
export function replaceCells(cells: readonly Cell[], replacements: readonly Cell[]): readonly Cell[] {
  const used = new Set<Cell>();
  const replaced = cells.map((cell) => {
    const replacement = replacements.find(({ name }) => name === cell.name);
    if (replacement !== undefined) used.add(replacement);
    return replacement ?? cell;
  });
  return [...replaced, ...replacements.filter((cell) => !used.has(cell))];
}

/**
 * The SQL `SELECT cells`, followed by the given text. `place` is the position for an error about two columns with the
 * same name.
 */
export function selectCells(
  cells: readonly Cell[],
  rest: string,
  place: Place,
  word: 'SELECT' | 'SELECT DISTINCT' = 'SELECT',
): RowsOutput {
  if (cells.length === 0)
    throw new ParameterError('the component has no output columns: list at least one', place);
  const columns = checkColumns(
    cells.map(({ name, type }) => ({ name, type })),
    place,
  );
  const list = cells.map(({ name, sql }) => `${sql} AS ${quoteName(name)}`).join(', ');
  return { kind: 'rows', sql: `${word} ${list} ${rest}`, columns };
}
