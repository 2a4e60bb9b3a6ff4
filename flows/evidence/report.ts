import { numberOf } from '../../lib/core/text/number-of.ts';
import type { Report } from '../../lib/report/report.ts';
import { type EvidenceResult, unmetRules } from './verify-version.ts';

/** The result of verifying a version: what `millrace verify --json` prints. */
export interface VerifyReport extends EvidenceResult {
  readonly outcome: 'passed' | 'failed';
  readonly version: string;
  readonly repository: string;
  readonly commit: string;
  readonly tree: string;
}

/** The sentence that says what statements cannot prove. */
export const limitOfEvidence =
  'The statements prove what was sent to the platform. Its API lets nobody download an artifact, so they do not prove what is stored there.';

/** The outcome of a verification: failed if a required rule is not met. */
export function verifyOutcome(result: EvidenceResult): VerifyReport['outcome'] {
  return unmetRules(result, 'require').length === 0 ? 'passed' : 'failed';
}

/** The report of `millrace verify`. */
export function reportOfVerify(report: VerifyReport): Report {
  const { outcome, version, repository, commit, tree, rules, statements } = report;
  const accepted = statements.filter(({ status }) => status === 'accepted').length;
  const refused = statements.length - accepted;
  return {
    title: 'Verify',
    outcome,
    headline:
      statements.length === 0
        ? `${version} has no evidence.`
        : `${version}: ${numberOf(accepted, 'statement')} accepted${refused === 0 ? '' : `, ${refused} refused`}.`,
    facts: [
      ['repository', repository],
      ['commit', commit],
      ['tree', tree],
    ],
    findings: [],
    tables: [
      {
        title: 'Rules',
        columns: ['evidence', 'mode', 'result'],
        rows: rules.map(({ kind, mode, isMet, text }) => [
          kind,
          mode,
          isMet ? 'met' : `not met: ${text ?? ''}`,
        ]),
      },
      {
        title: 'Statements',
        columns: ['evidence', 'result', 'made at', 'key', 'file'],
        rows: statements.map(({ kind, status, text, madeAt, key, file }) => [
          kind ?? 'unknown',
          status === 'accepted' ? status : `refused: ${text ?? ''}`,
          madeAt ?? '',
          key ?? '',
          file,
        ]),
      },
    ],
    notes: [limitOfEvidence],
  };
}
