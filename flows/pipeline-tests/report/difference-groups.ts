import { numberOf } from '../../../lib/core/text/number-of.ts';
import { oneLine } from '../../../lib/core/text/sanitize-text.ts';
import { isRow } from './row-lines.ts';
import type { Difference } from '../compare/test-result.ts';

/** One false expectation: a single difference, or all differing rows of a table. */
export interface DifferenceGroup {
  /** For rows, the first of the test file; rows that it does not expect are at the name of their table. */
  readonly place: Difference;
  /** What is wrong, on one line. */
  readonly sentence: string;
  /** Further lines of the message: the lines of a mock to add. */
  readonly more: readonly string[];
  /** The differing rows of a table; empty otherwise. */
  readonly rows: readonly Difference[];
}

export function groupDifferences(differences: readonly Difference[]): readonly DifferenceGroup[] {
  const tables = Map.groupBy(differences.filter(isRow), ({ table }) => table ?? '');
  const others = differences.filter((difference) => !isRow(difference)).map(groupOfOne);
  const groups = [...others, ...[...tables].flatMap(([table, rows]) => groupOfTable(table, rows))];
  // A refusal comes with what led to it, in the order of the run.
  if (differences.some(({ kind }) => kind === 'refused')) return groups;
  return groups.toSorted((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
}

function groupOfOne(difference: Difference): DifferenceGroup {
  const [first = '', ...more] = difference.message.split('\n');
  return { place: difference, sentence: oneLine(first), more, rows: [] };
}

function groupOfTable(table: string, rows: readonly Difference[]): DifferenceGroup[] {
  const [place] = rows.toSorted((a, b) => a.line - b.line);
  if (place === undefined) return [];
  return [{ place, sentence: `table "${oneLine(table)}": ${rowSummary(rows)}`, more: [], rows }];
}

function rowSummary(rows: readonly Difference[]): string {
  const count = (kind: Difference['kind']) => rows.filter((row) => row.kind === kind).length;
  const parts = [
    { count: count('changed-row'), one: 'row differs', many: 'rows differ' },
    { count: count('missing-row'), one: 'expected row is not in it', many: 'expected rows are not in it' },
    { count: count('extra-row'), one: 'row was not expected', many: 'rows were not expected' },
  ];
  const present = parts.filter((part) => part.count > 0);
  const cut = /; (?:of its|`given`) .*$/.exec(rows[0]?.message ?? '')?.[0] ?? '';
  return present.map((part) => numberOf(part.count, part.one, part.many)).join(', ') + cut;
}
