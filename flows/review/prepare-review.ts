import { commitSnapshot, type Snapshot } from '../../git/snapshot.ts';
import type { Clock } from '../../model/ports.ts';
import { conclude } from './conclude.ts';
import type { ReviewReport, ReviewRequest } from './review-request.ts';
import { chooseScope, type ReviewScope } from './review-scope.ts';

export interface PreparedReview {
  readonly snapshot: Snapshot;
  readonly scope: ReviewScope;
  /** What every report of this review says. */
  readonly base: Pick<ReviewReport, 'branch' | 'commit' | 'scopeReason' | 'reviewedFrom'>;
}

/** What is reviewed, whoever evaluates the rules. Throws Failure 'git-failed' and 'usage'. */
export async function prepareReview(
  request: ReviewRequest,
  signal: AbortSignal | undefined,
): Promise<PreparedReview> {
  const { repository, branch } = request;
  const snapshot =
    request.snapshot ??
    commitSnapshot(repository, await repository.resolveCommit(request.commit, { signal }), signal);
  const scope = await chooseScope(request, snapshot);
  const { commit, kind } = snapshot;
  return { snapshot, scope, base: { branch, commit, scopeReason: scope.reason, reviewedFrom: kind } };
}

/** The report where there is no pipeline to look at: what is gone may still be fixed. */
export async function nothingToReview(
  request: ReviewRequest,
  { snapshot, scope }: PreparedReview,
  clock: Clock,
): Promise<
  Pick<
    ReviewReport,
    | 'outcome'
    | 'scopeReason'
    | 'reviewed'
    | 'excluded'
    | 'findings'
    | 'counts'
    | 'nextBaseline'
    | 'uncounted'
    | 'suppressed'
  >
> {
  const { excused: _, ...concluded } = await conclude(request, snapshot, {
    drafts: [],
    files: [],
    ran: () => false,
    complete: false,
    clock,
  });
  return {
    outcome: 'nothing-to-do',
    scopeReason: scope.emptyReason,
    reviewed: [],
    excluded: [],
    ...concluded,
  };
}
