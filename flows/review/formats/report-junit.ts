import { type Finding, findingId } from '../../../lib/core/outcomes/finding.ts';
import { type JunitCase, junitLines } from '../../../lib/report/junit.ts';
import { failingSeverities } from '../conclude/gate.ts';
import type { ReviewReport, ReviewRequest } from '../scope/review-request.ts';

/**
 * A review as JUnit XML, with a suite for each file. A new finding that fails the review is a failed case; any
 * other new finding is a passed case with its text. A file without new findings is one passed case.
 */
export function reviewJunit(
  { findings, reviewed }: ReviewReport,
  failOn: ReviewRequest['failOn'],
): readonly string[] {
  const failing = new Set(failingSeverities(failOn));
  const byFile = Map.groupBy(
    findings.filter(({ state }) => state === 'new'),
    ({ file }) => file,
  );
  const files = [...new Set([...reviewed, ...byFile.keys()])].toSorted();
  const suites = files.map((file) => {
    const fileFindings = byFile.get(file) ?? [];
    const clean = { name: 'no new findings', className: file, file };
    const cases = fileFindings.map((finding) => caseOf(finding, failing.has(finding.severity)));
    return { name: file, cases: cases.length === 0 ? [clean] : cases };
  });
  return junitLines('millrace review', suites);
}

function caseOf(finding: Finding, fails: boolean): JunitCase {
  const { rule, severity, file, line, column, message } = finding;
  const place = `${file}:${line}:${column}`;
  const id = findingId(finding);
  return {
    name: `${rule} at ${line}:${column}`,
    className: file,
    file,
    line,
    result: fails
      ? { kind: 'failure', type: severity, message, text: `${place} ${message} (${id})` }
      : { kind: 'system-out', text: `${place} ${severity}: ${message} (${id})` },
  };
}
