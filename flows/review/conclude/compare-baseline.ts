import { type Finding, wholeFile } from '../../../lib/core/outcomes/finding.ts';
import { isWorseCount } from '../../../lib/pipelines/rules/quality-rules.ts';
import type { BaselineEntry } from '../../findings/baseline.ts';
import type { OldFindings } from './read-old-findings.ts';
import type { RuleCoverage } from '../evaluate/rule-coverage.ts';

/**
 * A baseline cannot record the findings of these rules: they are about a change, or about a review of nothing, which would
 * stay unnoticed.
 */
const unrecordableRules: ReadonlySet<string> = new Set([
  'millrace/no-pipelines',
  'millrace/policy-changed',
  'millrace/rules-loosened',
  'millrace/suppression-added',
]);

export interface Comparison {
  readonly findings: readonly Finding[];
  /** Whether the file was reviewed. */
  readonly wasReviewed: (file: string) => boolean;
  /** Whether the rule was evaluated on the file, so that a missing finding means that it is fixed. */
  readonly covers: RuleCoverage;
  /** Fingerprints of suppressed findings: these are neither known nor fixed. */
  readonly suppressed: ReadonlySet<string>;
}

export interface Compared {
  /** Includes the fixed findings of the baseline. */
  readonly findings: readonly Finding[];
  /** Number of findings that are known only because the base has them. */
  readonly knownOfBase: number;
  /** Number of findings that are known at every count, because the baseline has no count. */
  readonly uncounted: number;
  /** The findings of this review, and the recorded ones that were not covered; each finding once. */
  readonly next: readonly BaselineEntry[];
}

/**
 * Marks findings as new or known, and adds the findings of the baseline that are fixed. A finding with a larger
 * count than in the baseline is new.
 */
export function compareWithBaseline({ entries, ofBase }: OldFindings, comparison: Comparison): Compared {
  const { findings, wasReviewed, covers, suppressed } = comparison;
  const recorded = new Map(entries.map((entry) => [entry.fingerprint, entry]));
  const compared = findings.map((finding) => ({
    finding: stateOf(finding, recorded.get(finding.fingerprint), ofBase),
    entry: recorded.get(finding.fingerprint),
  }));
  const present = new Set(findings.map(({ fingerprint }) => fingerprint));
  // Findings that only the base has are not in the baseline file, so they cannot be removed from it.
  const absent = entries.filter(({ fingerprint }) => !present.has(fingerprint) && !ofBase.has(fingerprint));
  const wasCovered = ({ rule, file }: BaselineEntry) => wasReviewed(file) && covers(rule, file);
  const fixed = absent
    .filter((entry) => wasCovered(entry) && !suppressed.has(entry.fingerprint))
    .map((entry): Finding => ({
      ...entry,
      ...wholeFile,
      severity: 'notice',
      message: 'Fixed since the baseline was recorded.',
      source: 'millrace',
      state: 'fixed',
    }));
  return {
    findings: [...compared.map(({ finding }) => finding), ...fixed],
    knownOfBase: compared.filter(
      ({ finding: { state, fingerprint } }) => state === 'known' && ofBase.has(fingerprint),
    ).length,
    uncounted: compared.filter(
      ({ finding, entry }) =>
        finding.state === 'known' && finding.count !== undefined && entry?.count === undefined,
    ).length,
    next: [...absent.filter((entry) => !wasCovered(entry)), ...findings.filter(isRecordable)],
  };
}

/**
 * A rule that could not be evaluated may hide any finding, so it is never known. A finding about a change applies to
 * this change only.
 */
function isRecordable({ errorType, rule }: Finding): boolean {
  return errorType === undefined && !unrecordableRules.has(rule);
}

function stateOf(finding: Finding, entry: BaselineEntry | undefined, ofBase: ReadonlySet<string>): Finding {
  if (entry === undefined || !isRecordable(finding)) return { ...finding, state: 'new' };
  const { rule, count, message } = finding;
  if (entry.count === undefined || count === entry.count) return { ...finding, state: 'known' };
  // Without a count it is unknown whether the finding got worse.
  if (count !== undefined && !isWorseCount(rule, count, entry.count)) return { ...finding, state: 'known' };
  const sentence = message.replace(/\.$/, '');
  const before = ofBase.has(finding.fingerprint) ? 'the base has' : 'the baseline knows';
  return { ...finding, state: 'new', message: `${sentence}; ${before} ${entry.count}` };
}
