import type { GitHubConnection } from '../../../lib/github/workflow-run/connect-github.ts';
import type { Target } from '../../../lib/github/workflow-run/event-target.ts';

/** The state of a branch since the event. `moved`: the branch has a newer commit. */
export type BranchState = 'current' | 'moved' | 'deleted';

/**
 * Finds out what happened to the branch of an event. `current` also if GitHub does not answer, for a branch of a
 * fork, and for a commit without a branch.
 */
export async function branchState(
  { refs, repository }: GitHubConnection,
  { branch, commit, fork }: Target,
): Promise<BranchState> {
  if (fork || branch === '') return 'current';
  try {
    const ref = `refs/heads/${branch}`;
    const head = await refs.head(repository, ref);
    // GitHub also answers 404 to a token that may not see the branch.
    if (head === undefined) return (await refs.exists(repository, ref)) ? 'current' : 'deleted';
    return head === commit ? 'current' : 'moved';
  } catch {
    return 'current';
  }
}
