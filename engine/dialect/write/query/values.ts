import type { Column } from '../../../core/relation.ts';
import type { SqlType } from '../../../core/sql-type.ts';
import type { Expression } from '../../parse/tree.ts';
import { commonType, convert } from '../casts/convert.ts';
import { writeConstant } from './constants.ts';
import { duckType, type Typed } from '../sql/typed.ts';
import { isOne, sqlError, type Writing } from '../sql/writing.ts';

/**
 * The type of each column in the rows of VALUES. It depends only on the values in the column, not on where they are
 * used. An undefined item means a value that has no type of its own. Throws Refusal for values without a common
 * type.
 */
export function typesOfRows(
  rows: readonly (readonly (Typed | undefined)[])[],
  at: number,
  writing: Writing,
): readonly SqlType[] {
  return (rows[0] ?? []).map((_, index) => {
    const values = rows.flatMap((row) => row[index] ?? []);
    return commonType(values, at, writing);
  });
}

/** Translates the rows of VALUES. Each column gets a single type. */
export function writeRows(
  rows: readonly (readonly Expression[])[],
  at: number,
  writing: Writing,
): { sql: string; columns: readonly Column[] } {
  const values = rows.map((row) =>
    row.map((value) => writeConstant(value, 'SELECT … UNION ALL SELECT …', writing)),
  );
  const width = values[0]?.length ?? 0;
  if (values.some((row) => row.length !== width))
    throw sqlError('each row of VALUES must have the same number of values', at, writing);
  const columns = typesOfRows(values, at, writing).map((type, index) => ({
    name: `${isOne(writing) ? 'COLUMN' : 'column'}${index + 1}`,
    type,
  }));
  const lines = values.map((row) => {
    const cells = row.map((value, index) => {
      const type = columns[index]?.type ?? value.type;
      return `CAST(${convert(value, type, at, writing).sql} AS ${duckType(type)})`;
    });
    return `(${cells.join(', ')})`;
  });
  const names = columns.map((column) => `"${column.name}"`).join(', ');
  const sqlAlias = writing.session.fresh('v');
  return { sql: `SELECT * FROM (VALUES ${lines.join(', ')}) AS ${sqlAlias}(${names})`, columns };
}
