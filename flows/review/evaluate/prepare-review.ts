import { commitSnapshot, type Snapshot } from '../../../lib/git/snapshot.ts';
import { fetchedScope } from './not-fetched.ts';
import type { ReviewReport, ReviewRequest } from '../scope/review-request.ts';
import { chooseScope, type ReviewScope } from '../scope/review-scope.ts';
import { hasStricterSettings } from '../scope/stricter-settings.ts';

export interface PreparedReview {
  readonly snapshot: Snapshot;
  readonly scope: ReviewScope;
  /** The fields that every report of this review has. */
  readonly base: Pick<
    ReviewReport,
    'branch' | 'commit' | 'reviewedFrom' | 'policyChanges' | 'notFetched' | 'submodules'
  >;
}

/** Finds out what to review, for local and platform reviews. Throws Failure 'git-failed' and 'usage'. */
export async function prepareReview(
  request: ReviewRequest,
  signal: AbortSignal | undefined,
): Promise<PreparedReview> {
  const { repository, branch } = request;
  const snapshot =
    request.snapshot ??
    commitSnapshot(repository, await repository.resolveCommit(request.commit, { signal }), signal);
  const scope = await fetchedScope(
    await chooseScope(request, snapshot, (change) => hasStricterSettings(request, snapshot, change)),
    request,
    snapshot,
  );
  const { commit, kind } = snapshot;
  const { policyChanges, notFetched } = scope;
  // Who names the files to review knows what is left out.
  const entries = request.files === undefined ? await snapshot.list(request.directory) : [];
  const submodules = entries.flatMap(({ type, path }) => (type === 'commit' ? [path] : []));
  return {
    snapshot,
    scope,
    base: {
      branch,
      commit,
      reviewedFrom: kind,
      policyChanges,
      ...(notFetched === undefined ? {} : { notFetched }),
      ...(submodules.length === 0 ? {} : { submodules }),
    },
  };
}

/**
 * The outcome of a review. If nothing was reviewed, it is not passed, because a green result would look like a
 * verdict.
 */
export function outcomeOf(
  verdict: 'passed' | 'failed',
  { scope }: PreparedReview,
  hasResults: boolean,
): Pick<ReviewReport, 'outcome' | 'scopeReason'> {
  if (verdict === 'passed' && !hasResults)
    return { outcome: 'nothing-to-do', scopeReason: scope.emptyReason };
  return { outcome: verdict, scopeReason: scope.reason };
}
