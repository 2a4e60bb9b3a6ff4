import type { Finding, FindingState } from '../../lib/core/outcomes/finding.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { describeCallRoot } from '../../lib/pipelines/model/call-root.ts';
import type { Report } from '../../lib/report/report.ts';
import { describeCounts } from './conclude/count-findings.ts';
import type { SuppressedFinding } from '../findings/suppressed-finding.ts';
import type { ReviewReport } from './scope/review-request.ts';

/** What the command or action adds to the report. */
export interface ReviewAddition {
  /** Its notes, before the ones of the review. */
  readonly notes?: readonly string[] | undefined;
  /** The command that records the findings of the same review. */
  readonly updateCommand?: string | undefined;
}

/** The report about a review, the same for command, action and comment. */
export function reportOfReview(
  review: ReviewReport,
  { notes = [], updateCommand = 'millrace review --update-baseline' }: ReviewAddition = {},
): Report {
  return {
    title: 'Review',
    outcome: review.outcome,
    headline: headlineOf(review),
    facts: review.outcome === 'nothing-to-do' ? [] : factsOf(review),
    findings: review.findings,
    notes: [
      ...notes,
      ...(review.callRoot === undefined ? [] : [describeCallRoot(review.callRoot)]),
      ...oldFindings(review, updateCommand),
      ...leftOut(review),
    ],
  };
}

/** The headline with the verdict, for places that do not show the outcome separately. */
export function verdictLine(review: ReviewReport): string {
  const { outcome } = review;
  return `${headlineOf(review)}${outcome === 'nothing-to-do' ? '' : ` The review ${outcome}.`}`;
}

function headlineOf({ outcome, reviewed, scopeReason, counts, findings }: ReviewReport): string {
  if (outcome === 'nothing-to-do') return `Nothing to review: ${scopeReason}.`;
  const knownCount = countOf(findings, 'known');
  return `${numberOf(reviewed.length, 'file')} reviewed (${scopeReason}): ${describeCounts(counts, knownCount)}.`;
}

const reviewedFiles = {
  commit: undefined,
  staged: 'as they are staged',
  'working-tree': 'as they are on disk',
} as const;

function factsOf({ branch, commit, reviewedFrom, source, reviewStatus }: ReviewReport): Report['facts'] {
  const facts = [
    ['branch', branch || undefined],
    ['commit', commit.slice(0, 12) || undefined],
    ['files', reviewedFiles[reviewedFrom]],
    ['rules evaluated by', source === 'platform' ? 'the platform' : 'Millrace'],
    ['review status', reviewStatus],
  ] as const;
  return facts.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]));
}

/** The findings that do not count, because the baseline or the base has them, or that are not there any more. */
function oldFindings({ findings, base, uncounted }: ReviewReport, updateCommand: string): readonly string[] {
  const ofBase = base?.known ?? 0;
  const [inBaseline, fixed] = [countOf(findings, 'known') - ofBase, countOf(findings, 'fixed')];
  return [
    ...sentence(inBaseline, 'is in the baseline and does not count', 'are in the baseline and do not count'),
    ...sentence(ofBase, 'is also in the base and does not count', 'are also in the base and do not count'),
    ...sentence(
      fixed,
      `of the baseline is fixed. \`${updateCommand}\` removes it from the baseline`,
      `of the baseline are fixed. \`${updateCommand}\` removes them from the baseline`,
    ),
    ...sentence(
      uncounted,
      `may become more without notice, because the baseline has no count for it. \`${updateCommand}\` records the count`,
      `may become more without notice, because the baseline has no counts for them. \`${updateCommand}\` records the counts`,
    ),
  ];
}

const maxNames = 10;

/** What the review does not show, although it is in the files. */
function leftOut({ suppressed, excluded, submodules = [] }: ReviewReport): readonly string[] {
  const by = (kind: SuppressedFinding['suppressedBy']) =>
    suppressed.filter(({ suppressedBy }) => suppressedBy === kind).length;
  const suppressedIn = (place: string) =>
    [`is suppressed ${place} and does not count`, `are suppressed ${place} and do not count`] as const;
  return [
    ...sentence(by('settings'), ...suppressedIn('by `review.suppress` in millrace.yaml')),
    ...sentence(by('comment'), ...suppressedIn('by a comment in a pipeline')),
    ...(excluded.length === 0
      ? []
      : [`Not evaluated, because of the type of the file: ${namesOf(excluded)}.`]),
    ...(submodules.length === 0
      ? []
      : [
          `Not reviewed, because they are not part of what is published: pipelines of the ${submodules.length === 1 ? 'submodule' : 'submodules'} ${namesOf(submodules)}.`,
        ]),
  ];
}

function namesOf(paths: readonly string[]): string {
  const more = paths.length > maxNames ? ` and ${paths.length - maxNames} more` : '';
  return `${paths.slice(0, maxNames).join(', ')}${more}`;
}

/** `1 finding is …`, `2 findings are …`; nothing for none. */
function sentence(count: number, singular: string, plural: string): readonly string[] {
  return count === 0 ? [] : [`${numberOf(count, 'finding')} ${count === 1 ? singular : plural}.`];
}

function countOf(findings: readonly Finding[], state: FindingState): number {
  return findings.filter((finding) => finding.state === state).length;
}
