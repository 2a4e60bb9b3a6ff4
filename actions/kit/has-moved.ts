import type { GitHubConnection } from '../../lib/github/connect-github.ts';
import type { Target } from '../../lib/github/event-target.ts';

/** Whether a branch has another head by now; `false` if GitHub does not answer, and for a branch of a fork. */
export async function hasMoved(
  { refs, repository }: GitHubConnection,
  { branch, commit, fork }: Target,
): Promise<boolean> {
  if (fork) return false;
  try {
    return (await refs.head(repository, `refs/heads/${branch}`)) !== commit;
  } catch {
    return false;
  }
}
