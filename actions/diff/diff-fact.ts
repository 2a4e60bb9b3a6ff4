import type { DataDiff } from '../../flows/diff/data-diff.ts';
import { hasUnknown } from '../../flows/diff/is-change.ts';
import type { Fact } from '../../flows/evidence/sign-facts.ts';

/** A data diff as a fact to sign. It contains numbers of tables and rows, never a row, a value or a name. */
export function diffFact({ base, tests, tables, changes }: DataDiff, outcome: 'passed' | 'failed'): Fact {
  const sum = (count: 'added' | 'removed' | 'changed') =>
    tables.reduce((total, table) => total + table[count], 0);
  return {
    kind: 'diff',
    predicate: {
      outcome,
      base: base.commit,
      tests,
      notCompared: changes.filter(hasUnknown).length,
      tables: tables.length,
      rows: { added: sum('added'), removed: sum('removed'), changed: sum('changed') },
    },
  };
}
