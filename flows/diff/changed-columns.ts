import { type Column, describeType } from '../../engine/index.ts';
import { shownValue } from '../pipeline-tests/compare/shown-value.ts';
import type { Shown } from '../pipeline-tests/compare/test-result.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { type ColumnChange, maxValues } from './data-diff.ts';
import type { Pairs } from './pair-rows.ts';
import type { TableContent } from './table-content.ts';

type Kind = TestProject['kind'];

/** Finds the columns that are new or gone, or that have another type or name. */
export function changedColumns(
  left: TableContent,
  right: TableContent,
  kind: Kind,
  pairs: Pairs,
): readonly ColumnChange[] {
  const types = new Map(right.columns.map(({ name, type }) => [name, describeType(type, kind)]));
  const gone = left.columns.filter(({ name }) => !types.has(name));
  const fresh = right.columns.filter(({ name }) => !has(left.columns, name));
  const renamed = renamedColumns({ left, right, gone, fresh, pairs });
  const oldNames = new Set(renamed.values());
  return [
    ...left.columns.flatMap(({ name, type }): ColumnChange[] => {
      const [old, other] = [describeType(type, kind), types.get(name)];
      if (old === other || oldNames.has(name)) return [];
      // The sizes of a view's columns are the ones of DuckDB, not of the warehouse.
      if (left.isView !== right.isView && withoutSize(old) === withoutSize(other)) return [];
      return [{ name, before: old, ...(other === undefined ? {} : { after: other }) }];
    }),
    ...fresh.map(({ name, type }): ColumnChange => {
      const [renamedFrom, after] = [renamed.get(name), describeType(type, kind)];
      return renamedFrom === undefined
        ? { name, after, ...valuesOf(right, name) }
        : { name, renamedFrom, before: after, after };
    }),
  ];
}

function withoutSize(type: string | undefined): string | undefined {
  return type?.replace(/\(.*/, '');
}

/** New columns, each with the old name of the column that had its type and values, if only one old column fits. */
function renamedColumns({
  left,
  right,
  gone,
  fresh,
  pairs,
}: {
  readonly left: TableContent;
  readonly right: TableContent;
  readonly gone: readonly Column[];
  readonly fresh: readonly Column[];
  readonly pairs: Pairs;
}): ReadonlyMap<string, string> {
  // One row, or rows that are all equal, tell nothing.
  const contentOf = (content: TableContent, { name, type }: Column, side: 0 | 1): string | undefined => {
    const values = valuesIn(content, name);
    const paired = pairs.map((pair) => JSON.stringify(values[pair[side]]));
    const hasDifferent = new Set(paired.filter((value) => value !== 'null')).size > 1;
    return hasDifferent ? JSON.stringify([describeType(type), paired]) : undefined;
  };
  const before = Map.groupBy(gone, (column) => contentOf(left, column, 0));
  const after = Map.groupBy(fresh, (column) => contentOf(right, column, 1));
  return new Map(
    [...after].flatMap(([content, columns]) => {
      const [old, ...others] = content === undefined ? [] : (before.get(content) ?? []);
      const [current] = columns;
      if (old === undefined || current === undefined || others.length > 0 || columns.length > 1) return [];
      return [[current.name, old.name] as const];
    }),
  );
}

/** The values of a column as they are shown. */
function valuesIn({ columns, rows }: TableContent, name: string): readonly Shown[] {
  const place = columns.findIndex((column) => column.name === name);
  return rows.map((row) => shownValue(row[place] ?? null, columns[place]?.type));
}

function valuesOf(content: TableContent, name: string): Pick<ColumnChange, 'values' | 'nulls'> {
  const values = valuesIn(content, name);
  const different = new Map(values.map((value) => [JSON.stringify(value), value]));
  different.delete('null');
  return {
    values: [...different.values()].slice(0, maxValues),
    nulls: values.filter((value) => value === null).length,
  };
}

function has(columns: readonly Column[], name: string): boolean {
  return columns.some((column) => column.name === name);
}
