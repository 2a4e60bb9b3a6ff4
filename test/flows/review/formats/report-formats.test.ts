import { expect, test } from 'vitest';
import { reviewGitlab } from '../../../../flows/review/formats/report-gitlab.ts';
import { reviewJunit } from '../../../../flows/review/formats/report-junit.ts';
import type { ReviewReport } from '../../../../flows/review/scope/review-request.ts';
import { ruleCounts } from '../../../../flows/review/conclude/statistics.ts';
import type { Finding } from '../../../../lib/core/outcomes/finding.ts';

const finding = (more: Partial<Finding>): Finding => ({
  rule: 'unused-components',
  severity: 'error',
  file: 'daily/load.orch.yaml',
  line: 3,
  column: 5,
  endLine: 4,
  endColumn: 1,
  message: 'Nothing leads to "A & <B>"',
  source: 'millrace',
  state: 'new',
  fingerprint: 'f1',
  ...more,
});

const report: ReviewReport = {
  outcome: 'failed',
  findings: [
    finding({}),
    finding({ line: 9, fingerprint: 'f2', fix: { line: 9, column: 1, endLine: 10, endColumn: 1, text: '' } }),
    finding({ rule: 'maximum-outputs', severity: 'warning', file: 'b.tran.yaml', fingerprint: 'f3' }),
    finding({ file: 'c.tran.yaml', fingerprint: 'f4', state: 'known' }),
    finding({ file: 'gone.tran.yaml', fingerprint: 'f5', state: 'fixed' }),
  ],
  reviewed: ['a.orch.yaml', 'b.tran.yaml', 'c.tran.yaml', 'daily/load.orch.yaml'],
  excluded: [],
  counts: { error: 2, warning: 1, notice: 0 },
  branch: 'main',
  commit: 'c'.repeat(40),
  source: 'local',
  scopeReason: 'all pipelines of the project',
  policyChanges: [],
  reviewedFrom: 'commit',
  suppressed: [],
  uncounted: 0,
  nextBaseline: [],
};

test('the form of GitLab has the new findings only, each with its identity and its lines', () => {
  expect(reviewGitlab(report)).toEqual([
    {
      description: 'Nothing leads to "A & <B>"',
      check_name: 'unused-components',
      fingerprint: 'f1',
      severity: 'major',
      location: { path: 'daily/load.orch.yaml', lines: { begin: 3, end: 4 } },
    },
    expect.objectContaining({ fingerprint: 'f2' }),
    expect.objectContaining({ fingerprint: 'f3', severity: 'minor' }),
  ]);
});

test('JUnit has a failure for each finding that fails the review, and a passed case for each clean file', () => {
  const lines = reviewJunit(report, 'error');
  expect(lines[1]).toBe('<testsuites name="millrace review" tests="5" failures="2" errors="0">');
  expect(lines.filter((line) => line.includes('<failure'))).toEqual([
    '      <failure type="error" message="Nothing leads to &quot;A &amp; &lt;B&gt;&quot;">daily/load.orch.yaml:3:5 Nothing leads to &quot;A &amp; &lt;B&gt;&quot; (f1)</failure>',
    expect.stringContaining('daily/load.orch.yaml:9:5'),
  ]);
  expect(lines.filter((line) => line.includes('no new findings'))).toHaveLength(2);
  expect(lines.filter((line) => line.includes('<system-out>'))).toEqual([
    expect.stringContaining('b.tran.yaml:3:5 warning: '),
  ]);
});

test.each([
  ['warning', 3],
  ['never', 0],
] as const)('with --fail-on %s, JUnit has %i failures', (failOn, failures) => {
  expect(reviewJunit(report, failOn)[1]).toContain(`failures="${failures}"`);
});

test('the statistics count each rule, the most frequent first', () => {
  expect(ruleCounts(report)).toEqual([
    { rule: 'unused-components', severity: 'error', count: 2, files: 1, fixable: 1, known: 1 },
    { rule: 'maximum-outputs', severity: 'warning', count: 1, files: 1, fixable: 0, known: 0 },
  ]);
});
