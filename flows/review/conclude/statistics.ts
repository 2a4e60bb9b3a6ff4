import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { severities, type Severity } from '../../../lib/core/outcomes/finding.ts';
import type { ReviewReport } from '../scope/review-request.ts';

/** How often one rule was broken. */
export interface RuleCount {
  readonly rule: string;
  readonly severity: Severity;
  /** New findings. */
  readonly count: number;
  /** Files that have such a finding. */
  readonly files: number;
  /** New findings that `--fix` can fix. */
  readonly fixable: number;
  /** Findings that the baseline has. */
  readonly known: number;
}

/** The findings of a review by rule and severity: the most frequent first. */
export function ruleCounts({ findings }: ReviewReport): readonly RuleCount[] {
  const open = findings.filter(({ state }) => state !== 'fixed');
  const groups = Map.groupBy(open, ({ rule, severity }) => `${severity} ${rule}`);
  const counts = [...groups.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const newFindings = all.filter(({ state }) => state === 'new');
    return [
      {
        rule: first.rule,
        severity: first.severity,
        count: newFindings.length,
        files: new Set(newFindings.map(({ file }) => file)).size,
        fixable: newFindings.filter(({ fix }) => fix !== undefined).length,
        known: all.length - newFindings.length,
      },
    ];
  });
  return counts.toSorted(
    (a, b) =>
      b.count - a.count ||
      severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
      compareTexts(a.rule, b.rule),
  );
}
