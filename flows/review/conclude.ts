import type { Snapshot } from '../../git/snapshot.ts';
import { compareFindings } from '../../model/finding.ts';
import { compareWithBaseline, nextBaseline } from './compare-baseline.ts';
import { type Draft, identify } from './draft.ts';
import { countFindings } from './gate.ts';
import { readOldFindings } from './read-old-findings.ts';
import type { ReviewReport, ReviewRequest } from './review-request.ts';

type Conclusion = Pick<ReviewReport, 'findings' | 'counts' | 'nextBaseline'> & {
  /** Whether errors were found that do not count. */
  readonly excused: boolean;
};

/** Drafts to what a report says of them: identified, compared with the baseline, sorted and counted. */
export async function conclude(
  request: ReviewRequest,
  snapshot: Snapshot,
  { drafts, reviewed }: { readonly drafts: readonly Draft[]; readonly reviewed: Iterable<string> },
): Promise<Conclusion> {
  const { entries, renamed } = await readOldFindings(request, snapshot);
  const looked = new Set([...reviewed, ...drafts.map(({ file }) => file)]);
  const there = new Set((await snapshot.list()).map(({ path }) => path));
  const comparison = {
    findings: identify(drafts),
    wasReviewed: (file: string) => looked.has(file) || !there.has(file),
    renamed,
  };
  const findings = compareWithBaseline(entries, comparison).toSorted(compareFindings);
  return {
    findings,
    counts: countFindings(findings),
    nextBaseline: nextBaseline(entries, comparison),
    excused: findings.some(({ state, severity }) => state === 'known' && severity === 'error'),
  };
}
