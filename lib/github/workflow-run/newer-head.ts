import { Failure } from '../../core/errors/failure.ts';
import type { GitHubConnection } from './connect-github.ts';

/**
 * Whether the head of a pull request is no longer this commit. If so, the run for the new head reports on the pull request. False
 * if GitHub does not answer.
 */
export async function hasNewerHead(
  { pulls, repository }: Pick<GitHubConnection, 'pulls' | 'repository'>,
  pullRequest: number,
  commit: string,
): Promise<boolean> {
  try {
    const head = (await pulls.commits(repository, pullRequest))?.head;
    return head !== undefined && head !== commit;
  } catch (error) {
    if (error instanceof Failure && error.code === 'github-failed') return false;
    throw error;
  }
}
