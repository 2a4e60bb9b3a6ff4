import { shownValue } from '../pipeline-tests/compare/shown-value.ts';
import type { Shown } from '../pipeline-tests/compare/test-result.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { changedColumns } from './changed-columns.ts';
import { comparedRows } from './compared-rows.ts';
import { maxRowChanges, type RowChange, type TableChange } from './data-diff.ts';
import { canIdentify, findKey, isOwnKey, keyOf, type KeySearch, uniqueKeys } from './find-key.ts';
import { byValues, cutRows, inTurn } from './order-rows.ts';
import { indicesOf, pairByKey, pairEqual, type Pairs } from './pair-rows.ts';
import type { TableContent } from './table-content.ts';

type Tables = ReadonlyMap<string, TableContent>;

/**
 * Compares the tables of two runs. Returns the differences in the order in which the pipelines write the tables,
 * and the number of written tables that are equal. `onlyWritten`: leaves the given tables out, because their rows
 * differ between the sides.
 */
export function compareTables(
  before: Tables,
  after: Tables,
  { project, onlyWritten }: { readonly project: TestProject; readonly onlyWritten: boolean },
): { readonly changes: readonly TableChange[]; readonly equal: number } {
  const written = (name: string) => (after.get(name) ?? before.get(name))?.lastWrite ?? Infinity;
  const names = [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => !onlyWritten || Number.isFinite(written(name)))
    .toSorted();
  const changes = names
    // Infinity minus Infinity is not a number.
    .toSorted((a, b) => (written(a) === written(b) ? 0 : written(a) - written(b)))
    .flatMap((name) => compareTable(before.get(name), after.get(name), project) ?? []);
  const changed = new Set(changes.map(({ table }) => table));
  const equal = names.filter((name) => !changed.has(name) && Number.isFinite(written(name)));
  return { changes, equal: equal.length };
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
  const warehouse = project.kind;
  const writer = kind === 'removed' ? writerNow(content, project) : content.writer;
  const common = { table: content.name, kind, ...writer } as const;
  const reason = left.unknown ?? right.unknown;
  // Tables that cannot be read may differ.
  if (reason !== undefined) {
    if (left.digest !== undefined && left.digest === right.digest) return undefined;
    const columns = changedColumns(left, right, warehouse, []);
    const unknown = `${reason}${sizesText(before, after, columns.length === 0)}`;
    return { ...common, ...noRows, columns, unknown };
  }
  const { pairs, ...rows } = compareRows(left, right);
  const columns = changedColumns(left, right, warehouse, pairs);
  const isEqual = rows.added + rows.removed + rows.changed + columns.length === 0;
  return kind === 'changed' && isEqual ? undefined : { ...common, ...rows, columns };
}

/** ` (120000 before, 130000 now)`, if a table has too many rows. */
function sizesText(
  before: TableContent | undefined,
  after: TableContent | undefined,
  hasSameColumns: boolean,
): string {
  const sides = [before, after].filter((side) => side !== undefined);
  // The rows of a view that cannot be read are not even counted.
  if (sides.some(({ unknown, digest }) => unknown !== undefined && digest === undefined)) return '';
  const sizes = [
    ...(before === undefined ? [] : [`${before.count} before`]),
    ...(after === undefined ? [] : [`${after.count} now`]),
  ];
  const differ = hasSameColumns && sides.length > 1 ? ', and some rows differ' : '';
  return `${differ} (${sizes.join(', ')})`;
}

/** The component that wrote a table at the base, with its place on disk if it is still there. */
function writerNow(
  { writer: { component, at } }: TableContent,
  project: TestProject,
): TableContent['writer'] {
  if (component === undefined) return {};
  const range = at === undefined ? undefined : project.pipeline(at.file)?.components.get(component)?.range;
  if (at === undefined || range === undefined) return { component };
  return { component, at: { file: at.file, line: range.line, column: range.column } };
}

const noRows = { key: [], added: 0, removed: 0, changed: 0, cells: {}, rows: [] };

function without(content: TableContent): TableContent {
  const { unknown: _, digest: __, ...rest } = content;
  return { ...rest, rows: [], count: 0, writer: {} };
}

type ComparedRows = Pick<
  TableChange,
  'key' | 'lostKey' | 'added' | 'removed' | 'changed' | 'cells' | 'rows'
> & {
  readonly pairs: Pairs;
};

/** Compares the columns that both sides have; rows that were added or removed are shown with all of their columns. */
function compareRows(left: TableContent, right: TableContent): ComparedRows {
  const { names, before, after } = comparedRows(left, right);
  const candidates = names.flatMap((name, place) =>
    canBeKey(left, name) && canBeKey(right, name) ? [place] : [],
  );
  const key = findKey({ names, before, after, candidates }, right.primaryKey);
  const pairs = key === undefined ? pairEqual(before, after) : pairByKey(before, after, key);
  const taken = new Set(pairs.map(([, index]) => index));
  const kept = new Set(pairs.map(([index]) => index));
  const keyNames = key?.map((place) => names[place] ?? '') ?? [];
  const order = keyNames.length === 0 ? names : keyNames;
  const inRight = byValues(right, order);
  const inLeft = byValues(left, order);
  const added = indicesOf(after)
    .filter((index) => !taken.has(index))
    .toSorted(inRight);
  const removed = indicesOf(before)
    .filter((index) => !kept.has(index))
    .toSorted(inLeft);
  const cells = new Map<string, number>();
  const changed = pairs
    .flatMap(([old, current]) => {
      const different = names.filter((_, place) => before[old]?.[place] !== after[current]?.[place]);
      for (const name of different) cells.set(name, (cells.get(name) ?? 0) + 1);
      return different.length === 0 ? [] : [{ old, current, different }];
    })
    .toSorted((a, b) => inRight(a.current, b.current));
  const changedRows = changed.slice(0, maxRowChanges).map(({ old, current, different }): RowChange => {
    const shown = [...keyNames, ...different];
    return { before: shownRow(left, old, shown), after: shownRow(right, current, shown) };
  });
  const otherRows = inTurn(
    added.slice(0, maxRowChanges).map((index) => ({ after: shownRow(right, index) })),
    removed.slice(0, maxRowChanges).map((index) => ({ before: shownRow(left, index) })),
  );
  const lostKey = findLostKey({ names, before, after, candidates }, right);
  return {
    pairs,
    key: keyNames,
    ...(lostKey === undefined ? {} : { lostKey }),
    added: added.length,
    removed: removed.length,
    changed: changed.length,
    cells: Object.fromEntries(cells),
    rows: cutRows(changedRows, otherRows, maxRowChanges),
  };
}

/**
 * The table's own key, `ORDER_ID` of `ORDERS`, if its values were unique and not null before and are not any more, such as
 * after a join that doubles rows.
 */
function findLostKey(
  { names, before, after, candidates }: KeySearch,
  right: TableContent,
): TableChange['lostKey'] {
  if (before.length === 0) return undefined;
  const place = candidates.find(
    (candidate) =>
      isOwnKey(names[candidate] ?? '', right.name) &&
      before.every((row) => row[candidate] !== 'null') &&
      uniqueKeys([candidate], before) !== undefined &&
      uniqueKeys([candidate], after) === undefined,
  );
  if (place === undefined) return undefined;
  const groups = Map.groupBy(indicesOf(after), (index) => keyOf(after[index] ?? [], [place]));
  const twice = [...groups.values()].find((indices) => indices.length > 1);
  const [first = 0] = twice ?? [];
  const name = names[place] ?? '';
  return {
    columns: [name],
    values: [shownRow(right, first, [name])[name] ?? null],
    rows: twice?.length ?? 0,
  };
}

function canBeKey({ columns }: TableContent, name: string): boolean {
  const type = columns.find((column) => column.name === name)?.type;
  return type !== undefined && canIdentify(type);
}

function shownRow(
  { columns, rows }: TableContent,
  index: number,
  names: readonly string[] = columns.map(({ name }) => name),
): Readonly<Record<string, Shown>> {
  return Object.fromEntries(
    names.map((name) => {
      const place = columns.findIndex((column) => column.name === name);
      return [name, shownValue(rows[index]?.[place] ?? null, columns[place]?.type)];
    }),
  );
}
