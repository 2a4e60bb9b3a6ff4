import { Failure } from '../../lib/core/errors/failure.ts';
import type { Repository } from '../../lib/git/repository.ts';
import { reviewFiles } from '../../lib/pipelines/review-files.ts';
import { answerOf, type CommitReview } from './answer.ts';
import { openLinkedRepository } from './linked-repository.ts';
import { readReviewFiles } from './read-review-files.ts';

/** A request for a review (spec §2.8, §4.5). */
export interface ReviewCommitRequest {
  /** Folder of all repositories. */
  readonly gitRoot: string;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly ownerName: string;
  readonly repositoryName: string;
  readonly branchName: string;
  /** A commit's id, at least seven digits of it. */
  readonly commitId: string;
  /** Paths relative to the repository (unknowns §7). */
  readonly pipelines: readonly string[];
  /** The configuration folder, `.platform` in the specification (unknowns §3), relative to the repository. */
  readonly configDir: string;
  readonly signal?: AbortSignal;
}

/** Why a review was refused: the HTTP status and the message for `{ error, status }` (spec §7). */
export interface ReviewRefusal {
  readonly status: 400 | 404;
  readonly error: string;
}

/**
 * Reviews files of a commit, or refuses: 404 if repository, branch or commit are unknown or the branch does not
 * contain the commit, 400 if a file is not in the commit. A missing rules file is not a refusal but a result
 * (`designer/rules-file-retrieval-error`).
 * Throws Failure 'git-failed' if git itself fails.
 */
export async function reviewCommit(
  request: ReviewCommitRequest,
): Promise<{ readonly review: CommitReview } | { readonly refused: ReviewRefusal }> {
  const { gitRoot, environment, ownerName, repositoryName, configDir, signal } = request;
  const options = { ...(environment && { environment }), signal };
  const repository = await openLinkedRepository(gitRoot, ownerName, repositoryName, options);
  if (repository === undefined) {
    return refuse(
      404,
      `There is no repository "${ownerName}/${repositoryName}" in the folder of repositories.`,
    );
  }
  const found = await findCommit(repository, request);
  if ('refused' in found) return found;
  const files = await readReviewFiles(repository, found.commit, request.pipelines, configDir, signal);
  if ('missing' in files) {
    const names = files.missing.map((path) => `"${path}"`).join(', ');
    return refuse(400, `Not in commit ${found.commit}: ${names}. Paths are relative to the repository.`);
  }
  return { review: answerOf(await reviewFiles(files)) };
}

/** The full id of the commit, if the branch contains it. */
async function findCommit(
  repository: Repository,
  { branchName, commitId, signal }: ReviewCommitRequest,
): Promise<{ readonly commit: string } | { readonly refused: ReviewRefusal }> {
  // Git would also resolve a ref name or an expression (`HEAD~1`), but these are not commit ids.
  const commit = /^[0-9a-f]{7,64}$/i.test(commitId)
    ? await resolveOrUndefined(repository.resolveCommit(commitId, { signal }))
    : undefined;
  if (commit === undefined) return refuse(404, `There is no commit "${commitId}" in the repository.`);
  if (await repository.branchContains(commit, branchName, { signal })) return { commit };
  const branch = await resolveOrUndefined(repository.resolveCommit(`refs/heads/${branchName}`, { signal }));
  return refuse(
    404,
    branch === undefined
      ? `There is no branch "${branchName}" in the repository.`
      : `The branch "${branchName}" does not hold the commit ${commit}; push it first.`,
  );
}

async function resolveOrUndefined(answer: Promise<string>): Promise<string | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Failure && error.code === 'git-failed') return undefined;
    throw error;
  }
}

function refuse(status: 400 | 404, error: string): { readonly refused: ReviewRefusal } {
  return { refused: { status, error } };
}
