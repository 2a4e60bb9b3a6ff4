import { type Column, describeType } from '../../engine/index.ts';
import { shownValue } from '../test/shown-value.ts';
import type { Shown } from '../test/test-result.ts';
import type { TestProject } from '../test/test-project.ts';
import { type ColumnChange, maxValues } from './data-diff.ts';
import type { Pairs } from './pair-rows.ts';
import type { TableContent } from './table-content.ts';

type Kind = TestProject['kind'];

/** Columns that are new or gone, or that have another type or name. */
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

/** New columns by the old names of those that had the same type and values: only if there are rows to tell. */
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
  const renamed = new Map<string, string>();
  if (pairs.length === 0) return renamed;
  const free = new Set(gone);
  for (const { name, type } of fresh) {
    const found = [...free].find((old) => {
      if (describeType(old.type) !== describeType(type)) return false;
      const [before, after] = [valuesIn(left, old.name), valuesIn(right, name)];
      return pairs.every(([one, other]) => JSON.stringify(before[one]) === JSON.stringify(after[other]));
    });
    if (found === undefined) continue;
    free.delete(found);
    renamed.set(name, found.name);
  }
  return renamed;
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
