import { numberOf } from '../../lib/core/text/number-of.ts';
import type { ReviewReport } from '../../flows/review/scope/review-request.ts';
import { reportMarkdown } from '../../lib/report/markdown.ts';

/** A review as Markdown, in the form of the job summary. Known findings are only counted. */
export function reviewMarkdown(report: ReviewReport): string {
  const { outcome, counts, reviewed, findings, suppressed, scopeReason, branch, commit } = report;
  const inState = (state: string) => findings.filter((finding) => finding.state === state);
  const [known, fixed] = [inState('known').length, inState('fixed').length];
  return reportMarkdown(
    {
      title: 'Review',
      outcome,
      headline:
        outcome === 'nothing-to-do'
          ? `Nothing to review: ${scopeReason}.`
          : `${numberOf(reviewed.length, 'file')} reviewed (${scopeReason}): ${numberOf(counts.error, 'error')}, ${numberOf(counts.warning, 'warning')}, ${numberOf(counts.notice, 'notice')}.`,
      facts: [
        ['branch', branch],
        ['commit', commit],
        ['known', String(known)],
        ['fixed', String(fixed)],
        ['suppressed', String(suppressed.length)],
      ],
      findings: inState('new'),
      notes: [],
    },
    { limit: 1_000_000 },
  );
}
