import { describeType, Refusal, SqlError, type Warehouse } from '../../engine/index.ts';
import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { compareByKey, compareWhole, type ComparedCounts, countNulls, exampleRows } from './compare-rows.ts';
import { type ComparedTable, comparedTable, type SharedColumn } from './compared-table.ts';
import { findSampledKey, repeatedRows } from './find-sampled-key.ts';
import { renamedColumns } from './renamed-columns.ts';
import type { SideTable } from './run-side.ts';
import type { ColumnCount, SampledTableChange } from './sample-diff.ts';

export interface CompareRequest {
  readonly before: ReadonlyMap<string, SideTable>;
  readonly after: ReadonlyMap<string, SideTable>;
  /** Has the databases `before` and `after`. */
  readonly warehouse: Warehouse;
  readonly project: TestProject;
  /** The columns that samples.yaml names, by the name of the table. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
  /** How many example rows of a table may be shown. */
  readonly maxRows: number;
  /** Why a table of these pipelines cannot be read, without values. */
  readonly reasonOf: (message: string) => string;
}

/**
 * Compares the tables of two sides. Returns the differences in the order in which the pipelines write the tables,
 * and the number of equal tables. The rows stay in the warehouse, which limits its memory.
 */
export async function compareSides(
  request: CompareRequest,
): Promise<{ readonly changes: readonly SampledTableChange[]; readonly equal: number }> {
  const { before, after } = request;
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted((a, b) => {
    const [left, right] = [after.get(a) ?? before.get(a), after.get(b) ?? before.get(b)];
    const order = (left?.run ?? 0) - (right?.run ?? 0) || (left?.lastWrite ?? 0) - (right?.lastWrite ?? 0);
    return order || compareTexts(a, b);
  });
  const changes: SampledTableChange[] = [];
  let equal = 0;
  for (const name of names) {
    const change = await compareOne(before.get(name), after.get(name), request);
    if (change === undefined) equal += 1;
    else changes.push(change);
  }
  return { changes, equal };
}

const noRows = {
  key: [],
  added: 0,
  removed: 0,
  changed: 0,
  rowsBefore: 0,
  rowsAfter: 0,
  columns: [],
  rows: [],
};

async function compareOne(
  before: SideTable | undefined,
  after: SideTable | undefined,
  request: CompareRequest,
): Promise<SampledTableChange | undefined> {
  const side = after ?? before;
  if (side === undefined) return undefined;
  const kind = before === undefined ? 'created' : after === undefined ? 'removed' : 'changed';
  const common = { table: side.name, kind, ...side.writer } as const;
  const unreadable = before?.unreadable ?? after?.unreadable;
  if (unreadable !== undefined)
    return { ...common, ...noRows, unknown: `the view cannot be read: ${request.reasonOf(unreadable)}` };
  try {
    return before === undefined || after === undefined
      ? { ...common, ...(await countAlone(side, kind, request)) }
      : await compareBoth(before, after, request, common);
  } catch (error) {
    if (!(error instanceof SqlError) && !(error instanceof Refusal)) throw error;
    return { ...common, ...noRows, unknown: request.reasonOf(error.message) };
  }
}

/** All rows of a table that only one side has are added or removed. */
async function countAlone(
  table: SideTable,
  kind: 'created' | 'removed' | 'changed',
  { warehouse, project }: CompareRequest,
): Promise<Omit<SampledTableChange, 'table' | 'kind'>> {
  const isNew = kind === 'created';
  const from = `${isNew ? 'after' : 'before'}.${table.sql}`;
  const { rows, nulls } = await countNulls({ from, warehouse }, table.columns);
  const columns = table.columns.map(({ name, type }): ColumnCount => {
    const written = describeType(type, project.kind);
    return isNew
      ? { name, after: written, changed: 0, nullsAfter: nulls.get(name) ?? 0 }
      : { name, before: written, changed: 0, nullsBefore: nulls.get(name) ?? 0 };
  });
  const counts = isNew ? { added: rows, rowsAfter: rows } : { removed: rows, rowsBefore: rows };
  return { ...noRows, ...counts, columns };
}

async function compareBoth(
  before: SideTable,
  after: SideTable,
  request: CompareRequest,
  common: Pick<SampledTableChange, 'table' | 'kind'>,
): Promise<SampledTableChange | undefined> {
  const { warehouse, maxRows } = request;
  const table = comparedTable(before, after, warehouse);
  const [from, to] = table.from;
  const old = await countNulls({ from, warehouse }, before.columns);
  const now = await countNulls({ from: to, warehouse }, after.columns);
  const chosen = await chooseKey(table, [old.rows, now.rows], before, after, request);
  const counts = chosen.key === undefined ? await compareWhole(table) : await compareByKey(table, chosen.key);
  const isOneKey = chosen.key !== undefined && counts.removed < old.rows;
  const renamed = isOneKey
    ? await renamedColumns(table, chosen.key ?? [], { before, after }, request.project)
    : new Map<string, string>();
  const columns = columnCounts(before, after, { counts, old: old.nulls, now: now.nulls, renamed }, request);
  const { added, removed, changed } = counts;
  if (added + removed + changed + columns.length === 0) return undefined;
  const rows =
    maxRows > 0 && added + removed + changed > 0 ? await exampleRows(table, chosen.key, maxRows) : [];
  return {
    ...common,
    rowsBefore: old.rows,
    rowsAfter: now.rows,
    key: chosen.key?.map(({ name }) => name) ?? [],
    ...(chosen.keyFrom === undefined ? {} : { keyFrom: chosen.keyFrom }),
    ...(chosen.brokenKey === undefined ? {} : { brokenKey: chosen.brokenKey }),
    added,
    removed,
    changed,
    columns,
    rows,
  };
}

interface ChosenKey extends Pick<SampledTableChange, 'keyFrom' | 'brokenKey'> {
  readonly key?: readonly SharedColumn[] | undefined;
}

/** The key of samples.yaml, else of the table, else of the component that merges rows into it, else one that is found. */
async function chooseKey(
  table: ComparedTable,
  rows: readonly [before: number, after: number],
  before: SideTable,
  after: SideTable,
  { keys }: CompareRequest,
): Promise<ChosenKey> {
  const columnsOf = (names: readonly string[]) => {
    const columns = names.flatMap((name) => table.columns.find((column) => column.name === name) ?? []);
    return names.length > 0 && columns.length === names.length ? columns : undefined;
  };
  const declared = [
    { from: 'given', names: keys.get(table.name) ?? [] },
    { from: 'declared', names: after.primaryKey.length > 0 ? after.primaryKey : before.primaryKey },
  ] as const;
  for (const { from, names } of declared) {
    const columns = columnsOf(names);
    if (columns === undefined) continue;
    const [rowsBefore, rowsAfter] = await repeatedRows(table, columns);
    if (rowsBefore + rowsAfter === 0) return { key: columns, keyFrom: from };
    // A key that never was one says nothing about the change.
    if (from === 'given' || rowsBefore === 0)
      return { brokenKey: { columns: names, from, rowsBefore, rowsAfter } };
  }
  const merged = columnsOf(after.mergedBy.length > 0 ? after.mergedBy : before.mergedBy);
  if (merged !== undefined) {
    const [rowsBefore, rowsAfter] = await repeatedRows(table, merged);
    if (rowsBefore + rowsAfter === 0) return { key: merged, keyFrom: 'declared' };
  }
  if (Math.min(...rows) === 0) return {};
  const found = await findSampledKey(table, rows);
  return found === undefined ? {} : { key: found, keyFrom: 'found' };
}

/** Columns that differ in a row, in their type or in the number of nulls, and columns of one side only. */
function columnCounts(
  before: SideTable,
  after: SideTable,
  {
    counts,
    old,
    now,
    renamed,
  }: {
    readonly counts: ComparedCounts;
    readonly old: ReadonlyMap<string, number>;
    readonly now: ReadonlyMap<string, number>;
    /** Old names by new ones. */
    readonly renamed: ReadonlyMap<string, string>;
  },
  { project: { kind } }: CompareRequest,
): readonly ColumnCount[] {
  const types = (side: SideTable) =>
    new Map(side.columns.map(({ name, type }) => [name, describeType(type, kind)]));
  const [left, right] = [types(before), types(after)];
  // The sizes of a view's columns are the ones of DuckDB, not of the warehouse.
  const withoutSize = (type: string | undefined) =>
    before.isView === after.isView ? type : type?.replace(/\(.*/, '');
  const oldNames = new Set(renamed.values());
  const names = [...new Set([...left.keys(), ...right.keys()])].filter((name) => !oldNames.has(name));
  return names.flatMap((name): ColumnCount[] => {
    const renamedFrom = renamed.get(name);
    if (renamedFrom !== undefined) return [{ name, renamedFrom, changed: 0 }];
    const [typeBefore, typeAfter] = [left.get(name), right.get(name)];
    const [nullsBefore, nullsAfter] = [old.get(name), now.get(name)];
    const changed = counts.cells.get(name) ?? 0;
    const isOther = withoutSize(typeBefore) !== withoutSize(typeAfter);
    if (!isOther && changed === 0 && nullsBefore === nullsAfter) return [];
    return [
      {
        name,
        ...(isOther && typeBefore !== undefined ? { before: typeBefore } : {}),
        ...(isOther && typeAfter !== undefined ? { after: typeAfter } : {}),
        changed,
        ...(nullsBefore === undefined ? {} : { nullsBefore }),
        ...(nullsAfter === undefined ? {} : { nullsAfter }),
      },
    ];
  });
}
