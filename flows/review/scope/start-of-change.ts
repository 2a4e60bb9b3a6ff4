import type { ReviewRequest } from './review-request.ts';

/**
 * The commit from which a change from `base` to `head` starts: the merge base, so that later changes of the base do
 * not count. It is the base itself if the histories are unrelated, or if the head is an ancestor of the base: a
 * push back to an older commit would otherwise seem to change nothing. Throws Failure 'git-failed' if a shallow
 * clone lacks the history.
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
