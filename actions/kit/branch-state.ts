import type { GitHubConnection } from '../../lib/github/connect-github.ts';
import type { Target } from '../../lib/github/event-target.ts';

/** What became of a branch since the event: `moved` where it has another head. */
export type BranchState = 'current' | 'moved' | 'deleted';

/**
 * What became of the branch of an event; `current` if GitHub does not answer, for a branch of a fork, and for a commit
 * without a branch.
 */
export async function branchState(
  { refs, repository }: GitHubConnection,
  { branch, commit, fork }: Target,
): Promise<BranchState> {
  if (fork || branch === '') return 'current';
  try {
    const head = await refs.head(repository, `refs/heads/${branch}`);
    if (head === undefined) return 'deleted';
    return head === commit ? 'current' : 'moved';
  } catch {
    return 'current';
  }
}

/** Whether the run for a newer commit reports on the pull request. The head of a closed one does not change any more. */
export async function hasNewerRun(connection: GitHubConnection, target: Target): Promise<boolean> {
  return target.isClosed !== true && (await branchState(connection, target)) === 'moved';
}
