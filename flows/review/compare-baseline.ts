import { type Finding, wholeFile } from '../../lib/core/finding.ts';
import { fingerprintOf } from '../../lib/pipelines/fingerprint.ts';
import { isWorseCount } from '../../lib/pipelines/rules/quality-rules.ts';
import type { BaselineEntry } from './baseline.ts';
import { policyRules } from './policy-rules.ts';
import type { RuleCoverage } from './rule-coverage.ts';

export interface Comparison {
  readonly findings: readonly Finding[];
  /** Whether a file was looked at. */
  readonly wasReviewed: (file: string) => boolean;
  /** Whether a rule looked at a file, so that a finding of it that is not there any more is fixed. */
  readonly covers: RuleCoverage;
  /** Where files of the baseline are by now. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Fingerprints of what was found and suppressed: neither known nor fixed. */
  readonly silenced: ReadonlySet<string>;
}

export interface Compared {
  /** With those of the baseline that are fixed. */
  readonly findings: readonly Finding[];
  /** How many findings are known at any count, because the baseline holds none. */
  readonly uncounted: number;
  /** What was found now, and what was recorded and not looked at; each finding once. */
  readonly next: readonly BaselineEntry[];
}

/**
 * Tells new findings from known ones, and adds those of the baseline that are fixed. A file that was renamed keeps
 * its findings: they are compared under the fingerprint that they have at the new place. A count that got worse is new.
 */
export function compareWithBaseline(entries: readonly BaselineEntry[], comparison: Comparison): Compared {
  const { findings, wasReviewed, covers, renamed, silenced } = comparison;
  const recorded = applyRenames(entries, renamed);
  const known = new Map(recorded.map((entry) => [entry.fingerprint, entry]));
  const compared = findings.map((finding) => ({
    finding: stateOf(finding, known.get(finding.fingerprint)),
    entry: known.get(finding.fingerprint),
  }));
  const found = new Set(findings.map(({ fingerprint }) => fingerprint));
  const gone = recorded.filter(({ fingerprint }) => !found.has(fingerprint));
  const looked = ({ rule, file }: BaselineEntry) => wasReviewed(file) && covers(rule, file);
  const fixed = gone
    .filter((entry) => looked(entry) && !silenced.has(entry.fingerprint))
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
    next: [...gone.filter((entry) => !looked(entry)), ...findings.filter(isRecordable)],
  };
}

/**
 * Nobody knows what a rule that could not be evaluated would have found: it is never known. What is said about a change
 * is about this one only.
 */
function isRecordable({ errorType, rule }: Finding): boolean {
  return errorType === undefined && !policyRules.has(rule);
}

function stateOf(finding: Finding, entry: BaselineEntry | undefined): Finding {
  if (entry === undefined || !isRecordable(finding)) return { ...finding, state: 'new' };
  const { rule, count, message } = finding;
  if (entry.count === undefined || count === entry.count) return { ...finding, state: 'known' };
  // Without a count nobody can tell whether it got worse.
  if (count !== undefined && !isWorseCount(rule, count, entry.count)) return { ...finding, state: 'known' };
  const sentence = message.replace(/\.$/, '');
  return { ...finding, state: 'new', message: `${sentence}; the baseline knows ${entry.count}` };
}

/** Entries with the names and fingerprints that they have after the renames. */
function applyRenames(
  entries: readonly BaselineEntry[],
  renamed: ReadonlyMap<string, string>,
): readonly BaselineEntry[] {
  return entries.map((entry) => {
    const file = renamed.get(entry.file);
    return file === undefined ? entry : { ...entry, file, fingerprint: moveFingerprint(entry, file) };
  });
}

/** The fingerprint at another place, with the same ordinal among its equals. */
function moveFingerprint(entry: BaselineEntry, file: string): string {
  // The ordinal is not recorded; no component has hundreds of equal findings.
  for (let ordinal = 0; ordinal < 1000; ordinal += 1) {
    if (fingerprintOf(entry, ordinal) === entry.fingerprint)
      return fingerprintOf({ ...entry, file }, ordinal);
  }
  return entry.fingerprint;
}
