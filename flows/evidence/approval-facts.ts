import type { ApprovalFacts } from '../../lib/evidence/predicates.ts';

/** What GitHub says about the pull request whose merge is a commit. */
export interface MergedPull {
  readonly number: number;
  /** The newest commit of its branch. */
  readonly head: string;
  readonly author: string;
}

/** A review of a pull request, in GitHub’s words. */
export interface PullReview {
  readonly login: string;
  readonly id: number;
  readonly state: string;
  readonly commit: string | undefined;
  /** In ISO 8601. */
  readonly submittedAt: string;
}

/**
 * Who approved a pull request as it was merged. A person’s last review that approves or refuses counts, if it is about the
 * newest commit; comments change nothing, and neither does the author.
 *
 * @param reviews the oldest first
 */
export function approvalFacts(pull: MergedPull, reviews: readonly PullReview[]): ApprovalFacts {
  const last = new Map<number, PullReview>();
  for (const review of reviews) if (review.state !== 'COMMENTED') last.set(review.id, review);
  const approvals = [...last.values()]
    .filter(
      ({ state, commit, login }) => state === 'APPROVED' && commit === pull.head && login !== pull.author,
    )
    .map(({ login, id, submittedAt }) => ({ login, id, at: submittedAt }));
  return { pullRequest: pull.number, head: pull.head, author: pull.author, approvals };
}
