import { findingId } from '../../lib/core/outcomes/finding.ts';
import type { ReviewReport, ReviewRequest } from '../../flows/review/scope/review-request.ts';
import { readSourceLines } from '../../flows/review/conclude/source-lines.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { commitSnapshot } from '../../lib/git/snapshot.ts';
import { explainRule } from './explain-rule.ts';
import { findingLines } from '../../lib/report/terminal.ts';

/** Whether the value of `--explain` is the id of a finding, and not the name of a rule. */
export function isFindingId(name: string): boolean {
  return /^[0-9a-f]{8,32}$/.test(name);
}

/**
 * The text about one finding: its state, and what its rule requires. Throws Failure 'usage' if the review has no
 * finding with this id.
 */
export async function explainFinding(id: string, report: ReviewReport, request: ReviewRequest) {
  const all = [...report.findings, ...report.suppressed];
  const finding = all.find(({ fingerprint }) => fingerprint.startsWith(id));
  if (finding === undefined) {
    throw new Failure('usage', {
      message: `This review has no finding with the id ${id}.`,
      where: { input: '--explain' },
      hint: 'Either the finding is fixed, or this review did not include its file. Repeat the command with the same files and the same commit as the review that showed this id.',
    });
  }
  const snapshot = request.snapshot ?? commitSnapshot(request.repository, report.commit);
  const state =
    'reason' in finding ? `suppressed: ${String(finding.reason)}` : `${finding.state} against the baseline`;
  const { report: rule, lines } = explainRule(finding.rule);
  return {
    report: { ...rule, finding, id: findingId(finding) },
    lines: [
      ...findingLines([finding], await readSourceLines(snapshot, [finding])),
      `  State: ${state}`,
      '',
      ...lines,
    ],
  };
}
