import { z } from 'zod';
import type { GitHubConnection } from './connection.ts';
import { statusOf } from './request-status.ts';
import { githubFailure } from './github-failure.ts';
import { readAnswer } from './read-answer.ts';

export interface StickyComment {
  readonly pullRequest: number;
  /** Tells the comments of several projects in one pull request apart. */
  readonly key: string;
  readonly body: string;
  /** Body to send where GitHub finds the first too long. */
  readonly shortBody: string;
  /** With `false` a comment that is there is updated, but none is made (nothing to say). */
  readonly create: boolean;
}

/** First line of our comments, hidden from readers. */
export function stickyMarker(key: string): string {
  // Two hyphens would end the comment.
  return `<!-- millrace:${encodeURIComponent(key).replaceAll('-', '%2D')} -->`;
}

/** Whether a comment of this author is ours to change: an app's, or that of the token's own user. */
async function isOurs(
  connection: GitHubConnection,
  user: { login: string; type: string } | null,
): Promise<boolean> {
  if (user === null) return false;
  if (user.type === 'Bot') return true;
  try {
    const { data } = await connection.octokit.rest.users.getAuthenticated();
    return data.login === user.login;
  } catch {
    return false; // A token of a workflow has no user.
  }
}

const written = z.object({ html_url: z.string() });
const comments = z.array(
  z.object({
    id: z.number(),
    html_url: z.string(),
    body: z.string().nullish(),
    user: z.object({ login: z.string(), type: z.string() }).nullable(),
  }),
);

async function findComment(connection: GitHubConnection, pullRequest: number, marker: string) {
  const { octokit, owner, repo } = connection;
  const pages = octokit.paginate.iterator(octokit.rest.issues.listComments, {
    owner,
    repo,
    issue_number: pullRequest,
    per_page: 100,
  });
  for await (const { data } of pages) {
    for (const comment of readAnswer(comments, data)) {
      // Anybody can quote the marker; only a comment of ours that starts with it counts.
      if (comment.body?.startsWith(marker) === true && (await isOurs(connection, comment.user)))
        return comment;
    }
  }
  return undefined;
}

/**
 * Keeps one comment per project on a pull request up to date; an equal one is left alone. Gives its address,
 * `undefined` where there is none. Failure 'github-failed' naming the permission.
 */
export async function putStickyComment(
  connection: GitHubConnection,
  { pullRequest, key, body, shortBody, create }: StickyComment,
): Promise<string | undefined> {
  const { octokit, owner, repo } = connection;
  const marker = stickyMarker(key);
  try {
    const found = await findComment(connection, pullRequest, marker);
    if (found === undefined && !create) return undefined;
    const write = async (text: string): Promise<string> => {
      const whole = `${marker}\n${text}`;
      if (found?.body === whole) return found.html_url;
      const { data } =
        found === undefined
          ? await octokit.rest.issues.createComment({ owner, repo, issue_number: pullRequest, body: whole })
          : await octokit.rest.issues.updateComment({ owner, repo, comment_id: found.id, body: whole });
      return readAnswer(written, data).html_url;
    };
    try {
      return await write(body);
    } catch (error) {
      if (statusOf(error) !== 422) throw error;
      return await write(shortBody);
    }
  } catch (error) {
    throw githubFailure('write the comment', 'pull-requests: write', error);
  }
}
