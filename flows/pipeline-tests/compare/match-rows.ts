import { areEqual, type Comparable } from './compare-values.ts';
import type { Decimal } from '../../../lib/core/values/decimal.ts';

/** The cells of a row, in the order of the compared columns. */
export type ComparedRow = readonly Comparable[];

/** Indices of expected and actual rows that belong together. A changed row has both. */
export interface RowMatch {
  readonly missing: readonly number[];
  readonly extra: readonly number[];
  /** Rows that are equal in some cells but not in all, with the places of the cells that differ. */
  readonly changed: readonly ChangedRow[];
}

export interface ChangedRow {
  readonly expected: number;
  readonly actual: number;
  readonly columns: readonly number[];
}

/** With more rows, the report pairs none of them: it would have to compare every expected row with every actual row. */
const maxPaired = 500;

/** Compares two tables without regard to order. A row counts as often as it occurs. */
export function matchRows(
  expected: readonly ComparedRow[],
  actual: readonly ComparedRow[],
  tolerance: Decimal,
): RowMatch {
  const groups = new Map<string, { expected: number[]; actual: number[] }>();
  const group = (row: ComparedRow) => {
    const key = row.map((cell) => groupKey(cell, tolerance)).join('\u0000');
    const members = groups.get(key) ?? { expected: [], actual: [] };
    groups.set(key, members);
    return members;
  };
  for (const [index, row] of expected.entries()) group(row).expected.push(index);
  for (const [index, row] of actual.entries()) group(row).actual.push(index);
  const missing: number[] = [];
  const extra: number[] = [];
  for (const members of groups.values()) {
    const pairs = pairUp(members, tolerance, (left, right) =>
      rowsAreEqual(expected[left] ?? [], actual[right] ?? [], tolerance),
    );
    missing.push(...members.expected.filter((index) => !pairs.has(index)));
    const taken = new Set(pairs.values());
    extra.push(...members.actual.filter((index) => !taken.has(index)));
  }
  return withChanges(
    missing,
    extra,
    (left, right) => sameCells(expected[left] ?? [], actual[right] ?? [], tolerance),
    (left, right) => differingCells(expected[left] ?? [], actual[right] ?? [], tolerance),
  );
}

/** Compares two tables row by row, in order. */
export function matchInOrder(
  expected: readonly ComparedRow[],
  actual: readonly ComparedRow[],
  tolerance: Decimal,
): RowMatch {
  const common = Math.min(expected.length, actual.length);
  const indices = Array.from({ length: Math.max(expected.length, actual.length) }, (_, index) => index);
  return {
    missing: indices.filter((index) => index >= common && index < expected.length),
    extra: indices.filter((index) => index >= common && index < actual.length),
    changed: indices
      .filter((index) => index < common)
      .map((index) => ({
        expected: index,
        actual: index,
        columns: differingCells(expected[index] ?? [], actual[index] ?? [], tolerance),
      }))
      .filter(({ columns }) => columns.length > 0),
  };
}

/** With a tolerance, numbers that are not equal may still match: they do not separate rows. */
function groupKey(cell: Comparable, tolerance: Decimal): string {
  return cell.number !== undefined && tolerance.units > 0n ? 'number' : cell.key;
}

/**
 * The largest set of pairs of equal rows. Without a tolerance, all rows of a group are equal; with one, the first fit
 * may not be the best, so that augmenting paths are needed.
 */
function pairUp(
  { expected, actual }: { readonly expected: readonly number[]; readonly actual: readonly number[] },
  tolerance: Decimal,
  equal: (expected: number, actual: number) => boolean,
): ReadonlyMap<number, number> {
  if (tolerance.units === 0n) {
    const common = Math.min(expected.length, actual.length);
    return new Map(expected.slice(0, common).map((left, index) => [left, actual[index] ?? -1]));
  }
  const partner = new Map<number, number>();
  const assign = (left: number, seen: Set<number>): boolean => {
    const fits = actual.filter((right) => !seen.has(right) && equal(left, right));
    const free = fits.find((right) => !partner.has(right));
    if (free !== undefined) {
      partner.set(free, left);
      return true;
    }
    for (const right of fits) {
      if (seen.has(right)) continue;
      seen.add(right);
      const before = partner.get(right);
      if (before === undefined || !assign(before, seen)) continue;
      partner.set(right, left);
      return true;
    }
    return false;
  };
  for (const left of expected) assign(left, new Set());
  return new Map([...partner].map(([right, left]) => [left, right]));
}

function withChanges(
  missing: readonly number[],
  extra: readonly number[],
  similarity: (expected: number, actual: number) => number,
  differing: (expected: number, actual: number) => readonly number[],
): RowMatch {
  if (missing.length * extra.length > maxPaired * maxPaired) return { missing, extra, changed: [] };
  const left = new Set(missing);
  const right = new Set(extra);
  const candidates = missing
    .flatMap((expected) => extra.map((actual) => ({ expected, actual, same: similarity(expected, actual) })))
    .filter(({ same }) => same > 0)
    .toSorted((a, b) => b.same - a.same);
  const changed = candidates.filter(({ expected, actual }) => {
    if (!left.has(expected) || !right.has(actual)) return false;
    left.delete(expected);
    right.delete(actual);
    return true;
  });
  return {
    missing: [...left],
    extra: [...right],
    changed: changed
      .map(({ expected, actual }) => ({ expected, actual, columns: differing(expected, actual) }))
      .toSorted((a, b) => a.expected - b.expected),
  };
}

function rowsAreEqual(a: ComparedRow, b: ComparedRow, tolerance: Decimal): boolean {
  return sameCells(a, b, tolerance) === a.length;
}

/** The places of the cells that differ. */
function differingCells(a: ComparedRow, b: ComparedRow, tolerance: Decimal): readonly number[] {
  return [...a.keys()].filter((index) => !areEqual(a[index] ?? nothing, b[index] ?? nothing, tolerance));
}

const nothing: Comparable = { key: 'null' };

function sameCells(a: ComparedRow, b: ComparedRow, tolerance: Decimal): number {
  return a.filter((cell, index) => areEqual(cell, b[index] ?? nothing, tolerance)).length;
}
