import { type Column, describeType, quoteName } from '../../engine/index.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { compareByKey } from './compare-rows.ts';
import { comparedSql } from './compared-sql.ts';
import { type ComparedTable, onlyRow, type SharedColumn } from './compared-table.ts';
import type { SideTable } from './run-side.ts';

/** So many pairs of an old and a new column are compared at most. */
const maxPairs = 100;

/**
 * Columns that only the new side has, each with its old name: the one old column with the same type whose values
 * are the same in all rows with equal keys. A column whose values are all equal proves nothing.
 */
export async function renamedColumns(
  table: ComparedTable,
  key: readonly SharedColumn[],
  sides: { readonly before: SideTable; readonly after: SideTable },
  { kind }: Pick<TestProject, 'kind'>,
): Promise<ReadonlyMap<string, string>> {
  const { before, after } = sides;
  const alone = (own: SideTable, other: SideTable) =>
    own.columns.filter(({ name }) => other.columns.every((column) => column.name !== name));
  const [gone, fresh] = [alone(before, after), alone(after, before)];
  const pairs = gone.flatMap((old) =>
    fresh
      .filter(({ type }) => describeType(type, kind) === describeType(old.type, kind))
      .map((now) => pairOf(old, now)),
  );
  if (pairs.length === 0 || pairs.length > maxPairs) return new Map();
  const { cells } = await compareByKey({ ...table, columns: [...key, ...pairs] }, key);
  const equal = pairs.filter(({ name }) => cells.get(name) === 0);
  const renamed = new Map<string, string>();
  for (const pair of equal) {
    const isOnly = equal.every(
      (other) =>
        other === pair || (other.before.name !== pair.before.name && other.after.name !== pair.after.name),
    );
    if (isOnly && (await differs(pair, table))) renamed.set(pair.after.name, pair.before.name);
  }
  return renamed;
}

function pairOf(before: Column, after: Column): SharedColumn {
  const [left, right] = comparedSql(before.type, after.type);
  return {
    name: JSON.stringify([before.name, after.name]),
    before,
    after,
    sql: [left(quoteName(before.name)), right(quoteName(after.name))],
  };
}

/** Whether the old column has two values. */
async function differs({ sql: [value] }: SharedColumn, { from, warehouse }: ComparedTable): Promise<boolean> {
  const text = `${value}::VARCHAR`;
  const [isOther] = await onlyRow(`SELECT min(${text}) <> max(${text}) FROM ${from[0]}`, warehouse);
  return isOther === true;
}
