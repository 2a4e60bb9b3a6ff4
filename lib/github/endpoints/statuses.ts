import { z } from 'zod';
import { oneLine } from '../../core/text/sanitize-text.ts';
import { shorten } from '../../core/text/shorten.ts';
import type { GitHubCaller } from '../access/github-caller.ts';
import { readAnswer } from '../access/read-answer.ts';
import { repositoryPath } from '../access/rest-request.ts';

export interface CommitStatus {
  readonly sha: string;
  readonly state: 'pending' | 'success' | 'failure' | 'error';
  /** Name of the line on the pull request. Each context has one line. */
  readonly context: string;
  readonly description: string;
  readonly targetUrl?: string | undefined;
}

/** Commit statuses, which a token without an App can set. */
export interface Statuses {
  /** Sets a status; shortens its texts to what GitHub accepts. */
  setStatus(fullName: string, status: CommitStatus): Promise<void>;
  /** The newest status of a context on a commit. */
  readStatus(
    fullName: string,
    commit: string,
    context: string,
  ): Promise<Pick<CommitStatus, 'state' | 'description'> | undefined>;
}

/**
 * The context and description of a status in the form that GitHub stores: shortened, and without invisible
 * characters.
 */
export function statusTexts({ context, description }: Pick<CommitStatus, 'context' | 'description'>) {
  return { context: shorten(oneLine(context), 255), description: shorten(oneLine(description), 140) };
}

const createdAnswer = z.object({ id: z.number() });
const statusAnswer = z.object({
  context: z.string(),
  state: z.enum(['pending', 'success', 'failure', 'error']).catch('error'),
  description: z.string().nullish(),
});

const permission = 'statuses: write';

export function createStatuses(github: GitHubCaller): Statuses {
  return {
    async setStatus(repository, status) {
      const operation = `set a commit status on ${repository}`;
      await github.call({ operation, repository, permission }, createdAnswer, ({ rest }) =>
        rest({
          method: 'POST',
          path: `${repositoryPath(repository)}/statuses/${encodeURIComponent(status.sha)}`,
          body: {
            state: status.state,
            ...statusTexts(status),
            ...(status.targetUrl === undefined ? {} : { target_url: status.targetUrl }),
          },
        }),
      );
    },
    async readStatus(repository, commit, context) {
      const operation = `list the commit statuses of ${repository}`;
      const status = await github.call(
        { operation, repository, permission },
        statusAnswer.optional(),
        async ({ octokit, owner, repo }) => {
          const query = { owner, repo, ref: commit, per_page: 100 };
          const pages = octokit.paginate.iterator(octokit.rest.repos.listCommitStatusesForRef, query);
          for await (const { data } of pages) {
            // Newest first: the first one is enough.
            const newest = readAnswer(z.array(statusAnswer), data).find((entry) => entry.context === context);
            if (newest !== undefined) return { data: newest };
          }
          return { data: undefined };
        },
      );
      return status && { state: status.state, description: status.description ?? '' };
    },
  };
}
