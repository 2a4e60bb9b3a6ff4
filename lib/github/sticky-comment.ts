import { z } from 'zod';
import type { GitHubConnection } from './connection.ts';
import { statusOf } from './request-status.ts';
import { githubFailure } from './github-failure.ts';
import { readAnswer } from './read-answer.ts';

export interface StickyComment {
  readonly pullRequest: number;
  /** Distinguishes the comments of several projects in one pull request. */
  readonly key: string;
  readonly body: string;
  /** The body to send where GitHub refuses `body` as too long. */
  readonly shortBody: string;
  /** `false`: update an existing comment, but do not create one. */
  readonly create: boolean;
}

/** The invisible first line of our comments. */
export function stickyMarker(key: string): string {
  // Two hyphens would end the HTML comment.
  return `<!-- millrace:${encodeURIComponent(key).replaceAll('-', '%2D')} -->`;
}

/** Whether we may change a comment of this author: an app, or the token's own user. */
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
    return false; // A workflow's token has no user.
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
      // Anyone can quote the marker; only our own comment that starts with it counts.
      if (comment.body?.startsWith(marker) === true && (await isOurs(connection, comment.user)))
        return comment;
    }
  }
  return undefined;
}

/**
 * Keeps one comment per project on a pull request up to date; does not rewrite an equal one. Returns its address,
 * `undefined` where there is none. Throws Failure 'github-failed' with the missing permission.
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
