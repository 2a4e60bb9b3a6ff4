import type { Finding } from '../../../lib/core/outcomes/finding.ts';
import type { ReviewReport } from '../scope/review-request.ts';

const severities = { error: 'major', warning: 'minor', notice: 'info' } as const;

/** The new findings of a review, in the format of GitLab's Code Quality report. */
export function reviewGitlab({ findings }: ReviewReport) {
  return findings.filter(({ state }) => state === 'new').map(issueOf);
}

function issueOf({ message, rule, fingerprint, severity, file, line, endLine }: Finding) {
  return {
    description: message,
    check_name: rule,
    fingerprint,
    severity: severities[severity],
    location: { path: file, lines: { begin: line, end: endLine } },
  };
}
