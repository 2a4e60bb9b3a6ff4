import { escapeXml } from '../../../lib/core/text/escape-xml.ts';
import type { Finding } from '../../../lib/core/outcomes/finding.ts';
import { findingId } from '../conclude/finding-id.ts';
import { failingSeverities } from '../conclude/gate.ts';
import type { ReviewReport, ReviewRequest } from '../scope/review-request.ts';

/**
 * A review as JUnit XML: a suite for each file. A new finding that fails the review is a failure; one that only
 * informs is a passed case with its text. A file without a new finding is one passed case.
 */
export function reviewJunit(
  { findings, reviewed }: ReviewReport,
  failOn: ReviewRequest['failOn'],
): readonly string[] {
  const failing = new Set(failingSeverities(failOn));
  const found = findings.filter(({ state }) => state === 'new');
  const byFile = Map.groupBy(found, ({ file }) => file);
  const files = [...new Set([...reviewed, ...byFile.keys()])].toSorted();
  const cases = files.map((file) => byFile.get(file) ?? []);
  const all = cases.reduce((sum, own) => sum + Math.max(1, own.length), 0);
  const failures = found.filter(({ severity }) => failing.has(severity)).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="millrace review" tests="${all}" failures="${failures}" errors="0">`,
    ...files.flatMap((file, index) => suiteOf(file, cases[index] ?? [], failing)),
    '</testsuites>',
  ];
}

function suiteOf(file: string, own: readonly Finding[], failing: ReadonlySet<string>): readonly string[] {
  const name = escapeXml(file);
  const failures = own.filter(({ severity }) => failing.has(severity)).length;
  return [
    `  <testsuite name="${name}" tests="${Math.max(1, own.length)}" failures="${failures}" errors="0">`,
    ...(own.length === 0
      ? [`    <testcase name="no new findings" classname="${name}" file="${name}"/>`]
      : []),
    ...own.flatMap((finding) => caseOf(finding, failing.has(finding.severity))),
    '  </testsuite>',
  ];
}

function caseOf(finding: Finding, fails: boolean): readonly string[] {
  const { rule, severity, file, line, column, message } = finding;
  const [name, text] = [escapeXml(file), escapeXml(message)];
  const place = `${name}:${line}:${column}`;
  return [
    `    <testcase name="${escapeXml(rule)} at ${line}:${column}" classname="${name}" file="${name}" line="${line}">`,
    fails
      ? `      <failure type="${severity}" message="${text}">${place} ${text} (${findingId(finding)})</failure>`
      : `      <system-out>${place} ${severity}: ${text} (${findingId(finding)})</system-out>`,
    '    </testcase>',
  ];
}
