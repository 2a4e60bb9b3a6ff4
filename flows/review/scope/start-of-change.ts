import type { ReviewRequest } from './review-request.ts';

/**
 * The commit that the change from `base` to `head` starts from: the merge base, so that later changes of the base do not count. It is the base itself
 * if the histories are unrelated, and if the head replaces the base: then git's merge base has all that the base got since, and a push
 * that goes back would seem to change nothing. Throws Failure 'git-failed' if a shallow clone lacks the history.
 */
export async function startOfChange(
  { repository, range }: Pick<ReviewRequest, 'repository' | 'range'>,
  base: string,
  head: string,
  options?: { readonly signal: AbortSignal },
): Promise<string> {
  // A commit is its own merge base: git need not be asked.
  if (head === '' || base === head || range === 'push') return base;
  const fork = (await repository.mergeBase(base, head, options)) ?? base;
  return range === 'commits' && fork === head ? base : fork;
}
