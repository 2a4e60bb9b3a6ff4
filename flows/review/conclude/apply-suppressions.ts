import type { Suppression } from '../../../lib/config/project/review-schema.ts';
import { compileGlob } from '../../../lib/core/files/glob.ts';
import { type Finding, type Range, wholeFile } from '../../../lib/core/outcomes/finding.ts';
import { inRepository } from '../../../lib/git/in-repository.ts';
import type { CommentSuppression } from '../evaluate/comment-suppressions.ts';
import type { RawFinding } from '../evaluate/raw-finding.ts';
import type { SuppressedFinding } from '../../findings/suppressed-finding.ts';

export interface SuppressionSetting {
  readonly suppress: readonly Suppression[];
  /** The project's folder; the globs of suppressions are relative to it. */
  readonly directory: string;
  readonly configFile: string;
  /** Whether the entry is still in that file: the change may have removed it. */
  readonly isPresent: (index: number) => boolean;
  /** Position of an entry in that file; `undefined` if the entry is not there. */
  readonly placeOf: (index: number) => Range | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether the whole project was reviewed. Only then is a suppression without a finding useless. */
  readonly complete: boolean;
  /** Whether the change touched the file of the suppressions. */
  readonly settingChanged: boolean;
  /** The suppressions in comments, by file. */
  readonly comments: ReadonlyMap<string, readonly CommentSuppression[]>;
}

export interface Suppressed {
  readonly kept: readonly Finding[];
  readonly suppressed: readonly SuppressedFinding[];
  /** What is wrong with suppressions: expired, useless, misspelt. */
  readonly notices: readonly RawFinding[];
}

/**
 * Separates suppressed findings from the others. A suppression applies until midnight UTC at the end of its last
 * day. Comments are applied before the entries in the settings; the first matching entry applies.
 */
export function applySuppressions(findings: readonly Finding[], setting: SuppressionSetting): Suppressed {
  const { suppress, now, directory, complete, settingChanged, isPresent, comments } = setting;
  const today = new Date(now).toISOString().slice(0, 10);
  const matchers = suppress.map((suppression) => ({
    ...suppression,
    matches: matcherOf(suppression, directory),
    expired: isExpired(suppression, today),
  }));
  const used = new Set<number>();
  const usedComments = new Set<CommentSuppression>();
  const kept: Finding[] = [];
  const suppressed: SuppressedFinding[] = [];
  for (const finding of findings) {
    // A rule that could not be evaluated may hide any finding, so no suppression applies.
    const isSuppressible = finding.errorType === undefined;
    const index = matchers.findIndex(
      ({ matches, expired }) => isSuppressible && !expired && matches(finding),
    );
    const matchingComments = isSuppressible
      ? (comments.get(finding.file) ?? []).filter((candidate) => candidate.matches(finding))
      : [];
    for (const candidate of matchingComments) usedComments.add(candidate);
    if (index >= 0) used.add(index);
    const comment = matchingComments.find(({ applies }) => applies);
    const reason = comment?.reason ?? matchers[index]?.reason;
    if (reason === undefined) kept.push(finding);
    else
      suppressed.push({ ...finding, reason, suppressedBy: comment === undefined ? 'settings' : 'comment' });
  }
  const notices = matchers.flatMap(({ rule, until, expired, matches }, index) => {
    if (!isPresent(index)) return [];
    if (expired) {
      // A review of a change reports only what the change causes, and why a suppressed finding has returned.
      if (!complete && !settingChanged && !kept.some(matches)) return [];
      const message = `The suppression of ${rule} expired on ${until ?? ''}. Fix the finding that it hides, or set a new date.`;
      return [notice('millrace/suppression-expired', message, index, setting)];
    }
    if (!complete || used.has(index)) return [];
    const message = `The suppression of ${rule} matches no finding. Remove it.`;
    return [notice('millrace/suppression-useless', message, index, setting)];
  });
  const ofComments = [...comments.values()]
    .flat()
    .flatMap((comment) => comment.notice(usedComments.has(comment)) ?? []);
  return { kept, suppressed, notices: [...notices, ...ofComments] };
}

function isExpired({ until }: Suppression, today: string): boolean {
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
