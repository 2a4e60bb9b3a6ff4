import { type CommitStatus, readCommitStatus } from './commit-status.ts';
import { oneLine } from '../core/sanitize-text.ts';
import { shorten } from './foreign-text.ts';
import type { Ask } from './ask.ts';
import type { Statuses } from './github-port.ts';

/** A status's name and text within GitHub's limits and without invisible characters. */
export function statusTexts({ context, description }: Pick<CommitStatus, 'context' | 'description'>) {
  return { context: shorten(oneLine(context), 255), description: shorten(oneLine(description), 140) };
}

/** Commit statuses, which a token without an App can set. */
export function statuses(ask: Ask): Statuses {
  return {
    async setStatus(fullName, status) {
      await ask(
        `set a commit status on ${fullName}`,
        fullName,
        ({ octokit, owner, repo }) =>
          octokit.rest.repos.createCommitStatus({
            owner,
            repo,
            sha: status.sha,
            state: status.state,
            ...statusTexts(status),
            ...(status.targetUrl === undefined ? {} : { target_url: status.targetUrl }),
          }),
        { absent: [] },
      );
    },
    async readStatus(fullName, commit, context) {
      return ask(
        `read the commit statuses of ${fullName}`,
        fullName,
        async (connection) => ({ data: await readCommitStatus(connection, commit, context) }),
        { absent: [] },
      );
    },
  };
}
