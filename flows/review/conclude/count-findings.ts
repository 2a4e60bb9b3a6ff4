import { type Finding, severities } from '../../../lib/core/outcomes/finding.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import type { ReviewReport } from '../scope/review-request.ts';

/** Counts the new findings of each severity; known and fixed ones do not count. */
export function countFindings(findings: readonly Finding[]): ReviewReport['counts'] {
  const counts = { error: 0, warning: 0, notice: 0 };
  for (const { severity, state } of findings) if (state === 'new') counts[severity] += 1;
  return counts;
}

/**
 * The numbers of findings as a text, such as `2 errors, 1 warning` or `no findings`. If the baseline has findings,
 * `no new findings` in place of the latter.
 */
export function describeCounts(counts: ReviewReport['counts'], knownCount = 0): string {
  const parts = severities.flatMap((severity) =>
    counts[severity] === 0 ? [] : [numberOf(counts[severity], severity)],
  );
  return parts.length === 0 ? `no ${knownCount === 0 ? '' : 'new '}findings` : parts.join(', ');
}
