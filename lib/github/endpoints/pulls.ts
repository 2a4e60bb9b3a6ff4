import { z } from 'zod';
import { type ListedFile, listedFiles } from './commits.ts';
import type { GitHubCaller } from '../access/github-caller.ts';
import { repositoryPath } from '../access/rest-request.ts';

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

/** A merged pull request. */
export interface MergedPull {
  readonly number: number;
  /** The newest commit of its branch. */
  readonly head: string;
  /** The login of its author. */
  readonly author: string;
}

/** A person’s review of a pull request. */
export interface PullReview {
  readonly login: string;
  readonly id: number;
  /** As GitHub names it, such as `APPROVED` or `CHANGES_REQUESTED`. */
  readonly state: string;
  /** The newest commit of the pull request when the review was written. */
  readonly commit: string | undefined;
  /** In ISO 8601. */
  readonly submittedAt: string;
}

/** Pull requests. */
export interface Pulls {
  commits(fullName: string, pull: number): Promise<PullCommits | undefined>;
  /** The pull requests whose merge is a commit, in the order of GitHub. */
  mergedAs(fullName: string, commit: string): Promise<readonly MergedPull[]>;
  /** The reviews of a pull request by people whom GitHub knows, the oldest first. */
  reviews(fullName: string, pull: number): Promise<readonly PullReview[]>;
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

const mergedAnswer = z.array(
  z.object({
    number: z.number(),
    head: z.object({ sha: z.string() }),
    user: z.object({ login: z.string() }).nullish(),
    merge_commit_sha: z.string().nullish(),
    merged_at: z.string().nullish(),
  }),
);
const reviewsAnswer = z.array(
  z.object({
    user: z.object({ login: z.string(), id: z.number() }).nullish(),
    state: z.string(),
    commit_id: z.string().nullish(),
    submitted_at: z.string().nullish(),
  }),
);

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
    async mergedAs(repository, commit) {
      const pulls = await github.call(
        { operation: `list the pull requests of a commit of ${repository}`, repository, permission },
        mergedAnswer,
        ({ pages }) => pages(`${repositoryPath(repository)}/commits/${encodeURIComponent(commit)}/pulls`),
      );
      return pulls
        .filter(({ merged_at: mergedAt, merge_commit_sha: merge }) => mergedAt != null && merge === commit)
        .map(({ number, head, user }) => ({ number, head: head.sha, author: user?.login ?? '' }));
    },
    async reviews(repository, pull) {
      const reviews = await github.call(
        { operation: `list the reviews of pull request ${pull} of ${repository}`, repository, permission },
        reviewsAnswer,
        ({ pages }) => pages(`${repositoryPath(repository)}/pulls/${pull}/reviews?per_page=100`),
      );
      return reviews.flatMap(({ user, state, commit_id: commit, submitted_at: submittedAt }) =>
        user == null || submittedAt == null
          ? []
          : [{ ...user, state, commit: commit ?? undefined, submittedAt }],
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
