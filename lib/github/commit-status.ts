import type { GitHubConnection } from './connection.ts';
import { oneLine } from '../core/sanitize-text.ts';
import { shorten } from './foreign-text.ts';
import { githubFailure } from './github-failure.ts';

export interface CommitStatus {
  readonly sha: string;
  readonly state: 'pending' | 'success' | 'failure' | 'error';
  /** Name of the status on the pull request; each context has one status. */
  readonly context: string;
  /** Shortened to GitHub's limit of 140 characters. */
  readonly description: string;
  readonly targetUrl?: string | undefined;
}

/** Sets a commit status. Throws Failure 'github-failed' with the missing permission. */
export async function setCommitStatus(
  { octokit, owner, repo }: GitHubConnection,
  status: CommitStatus,
): Promise<void> {
  try {
    await octokit.rest.repos.createCommitStatus({
      owner,
      repo,
      sha: status.sha,
      state: status.state,
      context: shorten(oneLine(status.context), 255),
      description: shorten(oneLine(status.description), 140),
      ...(status.targetUrl === undefined ? {} : { target_url: status.targetUrl }),
    });
  } catch (error) {
    throw githubFailure('set a commit status', 'statuses: write', error);
  }
}

/** The newest status of a context, so that an equal one is not set again. */
export async function readCommitStatus(
  { octokit, owner, repo }: GitHubConnection,
  sha: string,
  context: string,
): Promise<Pick<CommitStatus, 'state' | 'description'> | undefined> {
  try {
    const pages = octokit.paginate.iterator(octokit.rest.repos.listCommitStatusesForRef, {
      owner,
      repo,
      ref: sha,
      per_page: 100,
    });
    for await (const { data } of pages) {
      const found = data.find((status) => status.context === context);
      if (found === undefined) continue;
      const state =
        (['pending', 'success', 'failure'] as const).find((one) => one === found.state) ?? 'error';
      return { state, description: found.description ?? '' };
    }
    return undefined;
  } catch (error) {
    throw githubFailure('list commit statuses', 'statuses: write', error);
  }
}
