import type { ApprovalFacts } from '../../lib/evidence/predicates.ts';

/** The pull request whose merge is a commit, as GitHub describes it. */
export interface MergedPull {
  readonly number: number;
  /** The newest commit of its branch. */
  readonly head: string;
  readonly author: string;
}

/** A review of a pull request, with GitHub's names of fields. */
export interface PullReview {
  readonly login: string;
  readonly id: number;
  readonly state: string;
  readonly commit: string | undefined;
  /** In ISO 8601. */
  readonly submittedAt: string;
}

/**
 * Finds out who approved a pull request in the form in which it was merged. For each person, the last review that
 * approves or requests changes counts, if it is about the newest commit. Comments and reviews by the author do not
 * count.
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
