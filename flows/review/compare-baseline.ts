import { type Finding, wholeFile } from '../../lib/core/finding.ts';
import { fingerprintOf } from '../../lib/pipelines/fingerprint.ts';
import { isWorseCount } from '../../lib/pipelines/rules/quality-rules.ts';
import type { BaselineEntry } from './baseline.ts';
import type { RuleCoverage } from './rule-coverage.ts';

/** Rules about a change; a baseline cannot record their findings. */
const policyRules: ReadonlySet<string> = new Set(['millrace/policy-changed', 'millrace/rules-loosened']);

export interface Comparison {
  readonly findings: readonly Finding[];
  /** Whether the file was reviewed. */
  readonly wasReviewed: (file: string) => boolean;
  /** Whether the rule was evaluated on the file, so that a missing finding means that it is fixed. */
  readonly covers: RuleCoverage;
  /** New paths of renamed files, by the path in the baseline. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Fingerprints of suppressed findings: these are neither known nor fixed. */
  readonly suppressed: ReadonlySet<string>;
}

export interface Compared {
  /** Includes the fixed findings of the baseline. */
  readonly findings: readonly Finding[];
  /** Number of findings that are known at every count, because the baseline has no count. */
  readonly uncounted: number;
  /** The findings of this review, and the recorded ones that were not covered; each finding once. */
  readonly next: readonly BaselineEntry[];
}

/**
 * Marks findings as new or known, and adds the fixed findings of the baseline. A renamed file keeps its findings:
 * they are compared by the fingerprint for the new path. A finding whose count got worse is new.
 */
export function compareWithBaseline(entries: readonly BaselineEntry[], comparison: Comparison): Compared {
  const { findings, wasReviewed, covers, renamed, suppressed } = comparison;
  const recorded = applyRenames(entries, renamed);
  const known = new Map(recorded.map((entry) => [entry.fingerprint, entry]));
  const compared = findings.map((finding) => ({
    finding: stateOf(finding, known.get(finding.fingerprint)),
    entry: known.get(finding.fingerprint),
  }));
  const found = new Set(findings.map(({ fingerprint }) => fingerprint));
  const absent = recorded.filter(({ fingerprint }) => !found.has(fingerprint));
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
  return errorType === undefined && !policyRules.has(rule);
}

function stateOf(finding: Finding, entry: BaselineEntry | undefined): Finding {
  if (entry === undefined || !isRecordable(finding)) return { ...finding, state: 'new' };
  const { rule, count, message } = finding;
  if (entry.count === undefined || count === entry.count) return { ...finding, state: 'known' };
  // Without a count it is unknown whether the finding got worse.
  if (count !== undefined && !isWorseCount(rule, count, entry.count)) return { ...finding, state: 'known' };
  const sentence = message.replace(/\.$/, '');
  return { ...finding, state: 'new', message: `${sentence}; the baseline knows ${entry.count}` };
}

/** The entries with the paths and fingerprints after the renames. */
function applyRenames(
  entries: readonly BaselineEntry[],
  renamed: ReadonlyMap<string, string>,
): readonly BaselineEntry[] {
  return entries.map((entry) => {
    const file = renamed.get(entry.file);
    return file === undefined ? entry : { ...entry, file, fingerprint: moveFingerprint(entry, file) };
  });
}

/** The fingerprint for another path, with the same ordinal among equal findings. */
function moveFingerprint(entry: BaselineEntry, file: string): string {
  // The ordinal is not recorded; no component has hundreds of equal findings.
  for (let ordinal = 0; ordinal < 1000; ordinal += 1) {
    if (fingerprintOf(entry, ordinal) === entry.fingerprint)
      return fingerprintOf({ ...entry, file }, ordinal);
  }
  return entry.fingerprint;
}
