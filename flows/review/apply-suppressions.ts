import type { Suppression } from '../../lib/config/review-schema.ts';
import { compileGlob } from '../../lib/core/glob.ts';
import { type Finding, type Range, wholeFile } from '../../lib/core/finding.ts';
import type { RawFinding } from './raw-finding.ts';
import type { SuppressedFinding } from './review-request.ts';
import { inRepository } from './review-scope.ts';

export interface SuppressionSetting {
  readonly suppress: readonly Suppression[];
  /** The project's folder; the globs of suppressions are relative to it. */
  readonly directory: string;
  readonly configFile: string;
  /** Whether an entry is in that file, or the change has taken it out. */
  readonly isPresent: (index: number) => boolean;
  /** Where an entry stands in that file, if it does. */
  readonly placeOf: (index: number) => Range | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether all was looked at, so that a suppression without a finding is useless. */
  readonly complete: boolean;
  /** Whether the change touched the file of the suppressions. */
  readonly settingChanged: boolean;
}

export interface Suppressed {
  readonly kept: readonly Finding[];
  readonly suppressed: readonly SuppressedFinding[];
  /** What to say about suppressions that are out of date. */
  readonly notices: readonly RawFinding[];
}

/** Takes out what may stay. The last day of a suppression ends at midnight UTC; the first one that fits counts. */
export function applySuppressions(findings: readonly Finding[], setting: SuppressionSetting): Suppressed {
  const { suppress, now, directory, complete, settingChanged, isPresent } = setting;
  const today = new Date(now).toISOString().slice(0, 10);
  const matchers = suppress.map((one) => ({
    ...one,
    fits: matcherOf(one, directory),
    expired: isOver(one, today),
  }));
  const used = new Set<number>();
  const kept: Finding[] = [];
  const suppressed: SuppressedFinding[] = [];
  for (const finding of findings) {
    // Nobody knows what a rule that could not be evaluated would have found.
    const fitting = finding.errorType === undefined;
    const index = matchers.findIndex(({ fits, expired }) => fitting && !expired && fits(finding));
    const reason = matchers[index]?.reason;
    if (reason === undefined) kept.push(finding);
    else {
      used.add(index);
      suppressed.push({ ...finding, reason });
    }
  }
  const notices = matchers.flatMap(({ rule, until, expired, fits }, index) => {
    if (!isPresent(index)) return [];
    if (expired) {
      // A review of a change reports what the change causes, and why a finding is back.
      if (!complete && !settingChanged && !kept.some(fits)) return [];
      const message = `The suppression of ${rule} ended on ${until ?? ''}: mend what it hides, or give it a new date.`;
      return [notice('millrace/suppression-expired', message, index, setting)];
    }
    if (!complete || used.has(index)) return [];
    const message = `The suppression of ${rule} silences nothing any more: take it out.`;
    return [notice('millrace/suppression-useless', message, index, setting)];
  });
  return { kept, suppressed, notices };
}

function isOver({ until }: Suppression, today: string): boolean {
  return until !== undefined && until < today;
}

function matcherOf({ rule, file, component }: Suppression, directory: string): (finding: Finding) => boolean {
  const prefix = inRepository(directory, '');
  const inFile = file === undefined ? undefined : compileGlob(file);
  return (finding) =>
    (finding.rule === rule || finding.rule === `millrace/${rule}`) &&
    (component === undefined || finding.component === component) &&
    (inFile === undefined || (finding.file.startsWith(prefix) && inFile(finding.file.slice(prefix.length))));
}

function notice(
  rule: string,
  message: string,
  index: number,
  { suppress, configFile, placeOf }: SuppressionSetting,
): RawFinding {
  const subject = [suppress[index]?.rule, suppress[index]?.file, suppress[index]?.component]
    .filter((part) => part !== undefined)
    .join(' ');
  const place = placeOf(index) ?? wholeFile;
  return { rule, severity: 'notice', file: configFile, ...place, subject, message, source: 'millrace' };
}
