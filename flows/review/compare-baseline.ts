import { type Finding, wholeFile } from '../../model/finding.ts';
import { fingerprintOf } from '../../pipelines/fingerprint.ts';
import type { BaselineEntry } from './baseline.ts';

export interface Comparison {
  readonly findings: readonly Finding[];
  /** Whether a file was looked at, so that a finding that is not there any more is fixed. */
  readonly wasReviewed: (file: string) => boolean;
  /** Where files of the baseline are by now. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Fingerprints of what was found and suppressed: neither known nor fixed. */
  readonly silenced: ReadonlySet<string>;
}

/**
 * Tells new findings from known ones, and adds those of the baseline that are fixed. A file that was renamed keeps
 * its findings: they are compared under the fingerprint that they have at the new place.
 */
export function compareWithBaseline(
  entries: readonly BaselineEntry[],
  { findings, wasReviewed, renamed, silenced }: Comparison,
): readonly Finding[] {
  const known = new Map(moved(entries, renamed).map((entry) => [entry.fingerprint, entry]));
  const compared = findings.map((finding): Finding => {
    const state = known.delete(finding.fingerprint) ? 'known' : 'new';
    return { ...finding, state };
  });
  const fixed = [...known.values()]
    .filter(({ file, fingerprint }) => wasReviewed(file) && !silenced.has(fingerprint))
    .map((entry): Finding => ({
      ...entry,
      ...wholeFile,
      severity: 'notice',
      message: 'Fixed since the baseline was recorded.',
      source: 'millrace',
      state: 'fixed',
    }));
  return [...compared, ...fixed];
}

/** The next baseline: what was found now, and what was recorded for files that nobody looked at. */
export function nextBaseline(
  entries: readonly BaselineEntry[],
  { findings, wasReviewed, renamed }: Comparison,
): readonly BaselineEntry[] {
  const kept = moved(entries, renamed).filter(({ file }) => !wasReviewed(file));
  return [...kept, ...findings.filter(({ state }) => state !== 'fixed')];
}

/** Entries with the names and fingerprints that they have after the renames. */
function moved(
  entries: readonly BaselineEntry[],
  renamed: ReadonlyMap<string, string>,
): readonly BaselineEntry[] {
  return entries.map((entry) => {
    const file = renamed.get(entry.file);
    return file === undefined ? entry : { ...entry, file, fingerprint: refingerprint(entry, file) };
  });
}

/** The fingerprint at another place, with the same ordinal among its equals. */
function refingerprint(entry: BaselineEntry, file: string): string {
  // The ordinal is not recorded; no component has hundreds of equal findings.
  for (let ordinal = 0; ordinal < 1000; ordinal += 1) {
    if (fingerprintOf(entry, ordinal) === entry.fingerprint)
      return fingerprintOf({ ...entry, file }, ordinal);
  }
  return entry.fingerprint;
}
