import { type Column, describeType } from '../../engine/index.ts';
import type { Rows } from '../test/compare-table.ts';
import { comparableOfValue } from '../test/compare-values.ts';
import { shownValue } from '../test/shown-value.ts';
import type { TestProject } from '../test/test-project.ts';
import {
  type ColumnChange,
  maxRowChanges,
  maxValues,
  type RowChange,
  type TableChange,
} from './data-diff.ts';
import { findKey, type KeyedRows, keyOf } from './find-key.ts';
import type { TableContent } from './table-content.ts';

type Tables = ReadonlyMap<string, TableContent>;

/** What differs between the tables of two runs, in the order of the names. */
export function compareTables(before: Tables, after: Tables, project: TestProject): readonly TableChange[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return keys.flatMap((key) => {
    const change = compareTable(before.get(key), after.get(key), project);
    return change === undefined ? [] : [change];
  });
}

function compareTable(
  before: TableContent | undefined,
  after: TableContent | undefined,
  project: TestProject,
): TableChange | undefined {
  const content = after ?? before;
  if (content === undefined) return undefined;
  const kind = before === undefined ? 'created' : after === undefined ? 'removed' : 'changed';
  const [left, right] = [before ?? without(content), after ?? without(content)];
  const common = { table: content.name, kind, ...content.writer } as const;
  const columns = kind === 'changed' ? changedColumns(left, right, project) : [];
  const unknown = left.unknown ?? right.unknown;
  if (unknown !== undefined) {
    // Two views that fail in the same way are equal as far as anyone can see.
    const isSame = left.unknown === right.unknown && left.count === right.count;
    if (isSame && columns.length === 0) return undefined;
    return { ...common, ...noRows, columns, unknown };
  }
  const rows = compareRows(left, right);
  const isEqual = rows.added + rows.removed + rows.changed + columns.length === 0;
  return kind === 'changed' && isEqual ? undefined : { ...common, ...rows, columns };
}

const noRows = { key: [], added: 0, removed: 0, changed: 0, cells: {}, rows: [] };

function without(content: TableContent): TableContent {
  const { unknown: _, ...known } = content;
  return { ...known, rows: [], count: 0, writer: {} };
}

function changedColumns(
  { columns: before }: TableContent,
  right: TableContent,
  { kind }: TestProject,
): readonly ColumnChange[] {
  const { columns: after } = right;
  const types = new Map(after.map(({ name, type }) => [name, describeType(type, kind)]));
  return [
    ...before.flatMap(({ name, type }): ColumnChange[] => {
      const [old, other] = [describeType(type, kind), types.get(name)];
      if (old === other) return [];
      return [{ name, before: old, ...(other === undefined ? {} : { after: other }) }];
    }),
    ...after.flatMap(({ name, type }, place): ColumnChange[] =>
      has(before, name) ? [] : [{ name, after: describeType(type, kind), ...valuesOf(right, place) }],
    ),
  ];
}

function valuesOf({ columns, rows }: TableContent, place: number): Pick<ColumnChange, 'values' | 'nulls'> {
  const column = columns[place];
  if (column === undefined) return {};
  const values = rows.map((row) => shownValue(row[place] ?? null, column.type));
  const different = new Map(values.map((value) => [JSON.stringify(value), value]));
  different.delete('null');
  return {
    values: [...different.values()].slice(0, maxValues),
    nulls: values.filter((value) => value === null).length,
  };
}

type ComparedRows = Pick<TableChange, 'key' | 'added' | 'removed' | 'changed' | 'cells' | 'rows'>;

/** Compares the columns that both sides have; rows that were added or removed are shown with all of their columns. */
function compareRows(left: TableContent, right: TableContent): ComparedRows {
  const names = left.columns.map(({ name }) => name).filter((name) => has(right.columns, name));
  const [before, after] = [keyedRows(left, names), keyedRows(right, names)];
  const candidates = names.flatMap((name, place) =>
    canIdentify(left, name) && canIdentify(right, name) ? [place] : [],
  );
  const key = findKey(names, { before, after, candidates }, right.primaryKey);
  const pairs = key === undefined ? pairEqual(before, after) : pairByKey(before, after, key);
  const taken = new Set(pairs.map(([, index]) => index));
  const kept = new Set(pairs.map(([index]) => index));
  const added = indicesOf(after).filter((index) => !taken.has(index));
  const removed = indicesOf(before).filter((index) => !kept.has(index));
  const cells = new Map<string, number>();
  const changed = pairs.flatMap(([old, current]) => {
    const different = names.filter((_, place) => before[old]?.[place] !== after[current]?.[place]);
    for (const name of different) cells.set(name, (cells.get(name) ?? 0) + 1);
    return different.length === 0 ? [] : [{ old, current, different }];
  });
  const keyNames = key?.map((place) => names[place] ?? '') ?? [];
  const rows = function* (): Generator<RowChange> {
    for (const { old, current, different } of changed) {
      const shown = [...keyNames, ...different];
      yield { before: shownRow(left, old, shown), after: shownRow(right, current, shown) };
    }
    for (const index of added) yield { after: shownRow(right, index) };
    for (const index of removed) yield { before: shownRow(left, index) };
  };
  return {
    key: keyNames,
    added: added.length,
    removed: removed.length,
    changed: changed.length,
    cells: Object.fromEntries(cells),
    rows: rows().take(maxRowChanges).toArray(),
  };
}

/** Whether a column's type can identify a row: a measured quantity, a truth value and semi-structured data do not. */
function canIdentify({ columns }: TableContent, name: string): boolean {
  const type = columns.find((column) => column.name === name)?.type;
  if (type === undefined || type.name === 'NUMBER') return type?.scale === 0;
  return !['FLOAT', 'BOOLEAN', 'VARIANT'].includes(type.name);
}

function has(columns: readonly Column[], name: string): boolean {
  return columns.some((column) => column.name === name);
}

/** The compared values of the rows, each as a text that is equal for equal values. */
function keyedRows({ columns, rows }: TableContent, names: readonly string[]): KeyedRows {
  const compared = names.map((name) => {
    const place = columns.findIndex((column) => column.name === name);
    return { place, type: columns[place]?.type };
  });
  return rows.map((row) =>
    compared.map(({ place, type }) =>
      type === undefined ? '' : comparableOfValue(row[place] ?? null, type).key,
    ),
  );
}

/** Pairs of indices of rows with the same key. */
function pairByKey(
  before: KeyedRows,
  after: KeyedRows,
  key: readonly number[],
): readonly (readonly [before: number, after: number])[] {
  const places = new Map(after.map((row, index) => [keyOf(row, key), index]));
  return before.flatMap((row, index) => {
    const place = places.get(keyOf(row, key));
    return place === undefined ? [] : [[index, place] as const];
  });
}

/** Pairs of indices of equal rows: each row counts as often as it occurs. */
function pairEqual(
  before: KeyedRows,
  after: KeyedRows,
): readonly (readonly [before: number, after: number])[] {
  const places = new Map<string, number[]>();
  for (const [index, row] of after.entries()) {
    const key = JSON.stringify(row);
    const known = places.get(key) ?? [];
    known.push(index);
    places.set(key, known);
  }
  for (const known of places.values()) known.reverse();
  return before.flatMap((row, index) => {
    const place = places.get(JSON.stringify(row))?.pop();
    return place === undefined ? [] : [[index, place] as const];
  });
}

function indicesOf(rows: KeyedRows): readonly number[] {
  return rows.map((_, index) => index);
}

function shownRow(
  { columns, rows }: { readonly columns: readonly Column[]; readonly rows: Rows },
  index: number,
  names: readonly string[] = columns.map(({ name }) => name),
) {
  return Object.fromEntries(
    names.map((name) => {
      const place = columns.findIndex((column) => column.name === name);
      return [name, shownValue(rows[index]?.[place] ?? null, columns[place]?.type)];
    }),
  );
}
