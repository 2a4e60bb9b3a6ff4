import { commitSnapshot, type Snapshot } from '../../lib/git/snapshot.ts';
import type { ReviewReport, ReviewRequest } from './review-request.ts';
import { chooseScope, type ReviewScope } from './review-scope.ts';

export interface PreparedReview {
  readonly snapshot: Snapshot;
  readonly scope: ReviewScope;
  /** What every report of this review says. */
  readonly base: Pick<ReviewReport, 'branch' | 'commit' | 'reviewedFrom' | 'policyChanges'>;
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
  const { policyChanges } = scope;
  return { snapshot, scope, base: { branch, commit, reviewedFrom: kind, policyChanges } };
}

/**
 * How a review ended. One that looked at nothing has not passed: whoever waits for its green would take it for a
 * verdict.
 */
export function outcomeOf(
  verdict: 'passed' | 'failed',
  { scope }: PreparedReview,
  looked: boolean,
): Pick<ReviewReport, 'outcome' | 'scopeReason'> {
  if (verdict === 'passed' && !looked) return { outcome: 'nothing-to-do', scopeReason: scope.emptyReason };
  return { outcome: verdict, scopeReason: scope.reason };
}
