/** A review as the platform was asked for it (spec §2.8, §4.5). */
export interface ReviewCommitRequest {
  /** Folder of all repositories. */
  readonly gitRoot: string;
  readonly ownerName: string;
  readonly repositoryName: string;
  readonly branchName: string;
  readonly commitId: string;
  /** Paths relative to the repository (field notes §7). */
  readonly pipelines: readonly string[];
  /** The configuration folder, `.platform` in the specification (field notes §3). */
  readonly configDir: string;
  readonly signal?: AbortSignal;
}

/** The answer of spec §2.8, ready to send. */
export interface CommitReview {
  readonly reviewStatus: 'PASSED' | 'FAILED';
  readonly results: Readonly<Record<string, readonly RuleAnswer[]>>;
  readonly excludedFiles: readonly string[];
}

export interface RuleAnswer {
  readonly ruleName: string;
  readonly status: 'PASSED' | 'FAILED' | 'ERROR';
  readonly errorDetail?: { readonly type: string };
  readonly violations?: readonly string[];
}

/** Why there is no review: the HTTP status and the sentence for `{ error, status }` (spec §7). */
export interface ReviewRefusal {
  readonly status: 400 | 404;
  readonly error: string;
}

/**
 * Reviews files of a commit. A review, or why there is none: 404 where repository, branch or commit are unknown or the
 * branch does not hold the commit, 400 where a file is not in the commit. Failure 'git-failed' where git itself fails.
 */
export async function reviewCommit(
  request: ReviewCommitRequest,
): Promise<{ readonly review: CommitReview } | { readonly refused: ReviewRefusal }> {
  return { refused: { status: 404, error: `Not built yet: ${request.repositoryName}` } };
}
