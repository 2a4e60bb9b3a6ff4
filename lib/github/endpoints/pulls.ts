import { z } from 'zod';
import { type ListedFile, listedFiles } from './commits.ts';
import type { GitHubCaller } from '../access/github-caller.ts';

/** The commits of a pull request. */
export interface PullCommits {
  readonly head: string;
  /** The branch to merge into, and its commit. */
  readonly base: { readonly branch: string; readonly commit: string };
  /** The commit of the merge; undefined while the pull request is not merged. */
  readonly merged: string | undefined;
  /** Time of the merge, in milliseconds since 1970; neither commit changes after it. */
  readonly mergedAt: number | undefined;
}

/** Pull requests. */
export interface Pulls {
  commits(fullName: string, pull: number): Promise<PullCommits | undefined>;
  /** The files that a pull request changes; GitHub lists no more than 3,000 and does not say that it left some out. */
  files(fullName: string, pull: number): Promise<readonly ListedFile[]>;
}

const pullAnswer = z.object({
  head: z.object({ sha: z.string() }),
  base: z.object({ ref: z.string(), sha: z.string() }),
  merged: z.boolean(),
  merge_commit_sha: z.string().nullish(),
  merged_at: z.string().nullish(),
});

const permission = 'pull-requests: read';

export function createPulls(github: GitHubCaller): Pulls {
  return {
    async commits(repository, pull) {
      const pullRequest = await github.find(
        { operation: `read pull request ${pull} of ${repository}`, repository, permission },
        pullAnswer,
        ({ octokit, owner, repo }) => octokit.rest.pulls.get({ owner, repo, pull_number: pull }),
      );
      return (
        pullRequest && {
          head: pullRequest.head.sha,
          base: { branch: pullRequest.base.ref, commit: pullRequest.base.sha },
          merged: pullRequest.merged ? (pullRequest.merge_commit_sha ?? undefined) : undefined,
          mergedAt: typeof pullRequest.merged_at === 'string' ? Date.parse(pullRequest.merged_at) : undefined,
        }
      );
    },
    async files(repository, pull) {
      const operation = `list the files of pull request ${pull} of ${repository}`;
      return await github.call(
        { operation, repository, permission },
        listedFiles,
        async ({ octokit, owner, repo }) => {
          const query = { owner, repo, pull_number: pull, per_page: 100 };
          return { data: await octokit.paginate(octokit.rest.pulls.listFiles, query) };
        },
      );
    },
  };
}
