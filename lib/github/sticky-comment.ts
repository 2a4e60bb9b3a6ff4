import { Failure } from '../core/failure.ts';
import type { Comment } from './comments.ts';
import type { GitHubConnection } from './connect-github.ts';
import { failureDetails } from './failure-details.ts';

export interface StickyComment {
  readonly pullRequest: number;
  /** Distinguishes the comments of several projects in one pull request. */
  readonly key: string;
  readonly body: string;
  /** The body to send if GitHub refuses `body` as too long. */
  readonly shortBody: string;
  /** `false`: update an existing comment, but do not create one. */
  readonly create: boolean;
}

/** The invisible first line of our comments. */
export function stickyMarker(key: string): string {
  // Two hyphens would end the HTML comment.
  return `<!-- millrace:${encodeURIComponent(key).replaceAll('-', '%2D')} -->`;
}

/**
 * Keeps one comment per project on a pull request up to date; does not rewrite an equal one. Returns its address,
 * `undefined` if there is none. Throws Failure 'github-failed'.
 */
export async function putStickyComment(
  { comments, repository }: Pick<GitHubConnection, 'comments' | 'repository'>,
  { pullRequest, key, body, shortBody, create }: StickyComment,
): Promise<string | undefined> {
  const marker = stickyMarker(key);

  /** Whether we may change a comment: it is an App's, or that of the token's own user. */
  async function isOurs({ user }: Comment): Promise<boolean> {
    if (user === null || user.type === 'Bot') return user !== null;
    try {
      return (await comments.ownLogin(repository)) === user.login;
    } catch (error) {
      if (error instanceof Failure && error.code === 'github-failed') return false;
      throw error;
    }
  }

  const found = await comments.find(
    repository,
    pullRequest,
    // Anyone can quote the marker; only our own comment that starts with it counts.
    async (comment) => comment.body?.startsWith(marker) === true && (await isOurs(comment)),
  );
  if (found === undefined && !create) return undefined;

  async function write(text: string): Promise<string> {
    const marked = `${marker}\n${text}`;
    if (found?.body === marked) return found.html_url;
    return found === undefined
      ? await comments.create(repository, pullRequest, marked)
      : await comments.update(repository, found.id, marked);
  }
  try {
    return await write(body);
  } catch (error) {
    if (failureDetails(error).status !== 422) throw error;
    return await write(shortBody);
  }
}
