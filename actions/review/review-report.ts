import { describeUncounted } from '../../flows/review/conclude/describe-uncounted.ts';
import type { ReviewReport } from '../../flows/review/scope/review-request.ts';
import type { Report } from '../../lib/report/report.ts';

function count(number: number, word: string): string {
  return `${String(number)} ${word}${number === 1 ? '' : 's'}`;
}

/** `2 errors, 1 warning` or `no findings`. */
export function describeCounts({ error, warning, notice }: ReviewReport['counts']): string {
  const parts = [
    ...(error > 0 ? [count(error, 'error')] : []),
    ...(warning > 0 ? [count(warning, 'warning')] : []),
    ...(notice > 0 ? [count(notice, 'notice')] : []),
  ];
  return parts.length === 0 ? 'no findings' : parts.join(', ');
}

/** Which files were reviewed, and why. */
export function scopeNotes({ outcome, scopeReason }: ReviewReport): string[] {
  return outcome === 'nothing-to-do' ? [] : [`Reviewed: ${scopeReason}.`];
}

/** A review as a report. */
export function reportOfReview(review: ReviewReport, extra: { notes: readonly string[] }): Report {
  const { outcome, counts, reviewed, excluded, suppressed, branch, commit, source, base } = review;
  return {
    title: 'Review',
    outcome,
    headline:
      outcome === 'nothing-to-do'
        ? `Nothing to review: ${review.scopeReason}.`
        : `${count(reviewed.length, 'file')} reviewed: ${describeCounts(counts)}.`,
    facts: [
      ['branch', branch],
      ['commit', commit],
      ['rules evaluated by', source === 'platform' ? 'the platform' : 'Millrace'],
      ...(review.reviewStatus === undefined ? [] : [['review status', review.reviewStatus] as const]),
      ...(suppressed.length === 0 ? [] : [['suppressed', String(suppressed.length)] as const]),
      ...(excluded.length === 0 ? [] : [['not evaluated', excluded.join(', ')] as const]),
    ],
    findings: review.findings,
    knownOfBase: base?.known,
    notes: [...extra.notes, ...(review.uncounted === 0 ? [] : [describeUncounted(review.uncounted)])],
  };
}
