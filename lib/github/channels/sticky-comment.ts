import { Failure } from '../../core/errors/failure.ts';
import type { Comment } from '../endpoints/comments.ts';
import type { GitHubConnection } from '../workflow-run/connect-github.ts';
import { failureDetails } from '../access/failure-details.ts';
import { hasNewerHead } from '../workflow-run/newer-head.ts';

export interface StickyComment {
  readonly pullRequest: number;
  /** The head of the pull request that the comment is about. */
  readonly commit: string;
  /** Distinguishes the comments of several projects in one pull request. */
  readonly key: string;
  readonly body: string;
  /** The body to send if GitHub refuses `body` as too long. */
  readonly shortBody: string;
  /** `false`: update an existing comment, but do not create one. */
  readonly create: boolean;
}

/** The result of writing a report to a channel. */
export interface WrittenReport {
  /** Its address; undefined if there is none. */
  readonly url: string | undefined;
  /** For the reader: why it was not written. */
  readonly note?: string;
}

type Connection = Pick<GitHubConnection, 'comments' | 'pulls' | 'repository'>;

/** The invisible first line by which Millrace finds its comments. */
export function stickyMarker(key: string): string {
  // Two hyphens would end the HTML comment.
  return `<!-- millrace:${encodeURIComponent(key).replaceAll('-', '%2D')} -->`;
}

/**
 * Keeps one comment per project on a pull request up to date; does not rewrite an unchanged comment. A run for an
 * older commit writes nothing, because it would replace the result of a newer run. Throws Failure 'github-failed'.
 */
export async function putStickyComment(
  connection: Connection,
  comment: StickyComment,
): Promise<WrittenReport> {
  const { pullRequest, commit, create } = comment;
  if (await hasNewerHead(connection, pullRequest, commit)) {
    const older = `The comment was not written: the pull request has a newer commit than ${commit.slice(0, 12)}, and the run for that commit writes it.`;
    return { url: undefined, note: older };
  }
  const [first, ...others] = await findOwn(connection, comment);
  if (first === undefined)
    return create ? { url: await createComment(connection, comment) } : { url: undefined };
  const url = await replace(connection, first, comment);
  await remove(connection, others);
  return { url };
}

/** Our comments with the key, oldest first: several only if runs made them at the same moment. */
async function findOwn(
  { comments, repository }: Connection,
  { pullRequest, key }: Pick<StickyComment, 'pullRequest' | 'key'>,
): Promise<readonly Comment[]> {
  const marker = stickyMarker(key);
  /** Whether we may change a comment. If the token's user cannot be read, we leave it alone. */
  async function isOurs(comment: Comment): Promise<boolean> {
    try {
      return await comments.isOwn(repository, comment);
    } catch (error) {
      if (error instanceof Failure && error.code === 'github-failed') return false;
      throw error;
    }
  }
  // Anyone can quote the marker; only our own comment that starts with it counts.
  return await comments.findAll(
    repository,
    pullRequest,
    async (comment) => comment.body?.startsWith(marker) === true && (await isOurs(comment)),
  );
}

/** Creates the comment. Of two runs that create one at the same moment, the later one moves its text to the older comment. */
async function createComment(connection: Connection, comment: StickyComment): Promise<string> {
  const { comments, repository } = connection;
  const created = await shortenedIfNeeded(comment, (text) =>
    comments.create(repository, comment.pullRequest, text),
  );
  const [first, ...others] = await findOwn(connection, comment).catch((error: unknown) => {
    // The comment is there. Only whether there is another one is not known; the next run looks again.
    if (!(error instanceof Failure) || error.code !== 'github-failed') throw error;
    return [];
  });
  if (first === undefined || first.id === created.id) return created.url;
  const url = await replace(connection, first, comment);
  await remove(connection, others);
  return url;
}

/** Replaces the text of a comment; creates it again if it was deleted in between. */
async function replace(connection: Connection, old: Comment, comment: StickyComment): Promise<string> {
  const { comments, repository } = connection;
  try {
    return await shortenedIfNeeded(comment, async (text) =>
      old.body === text ? old.html_url : await comments.update(repository, old.id, text),
    );
  } catch (error) {
    if (failureDetails(error).status !== 404) throw error;
    const { url } = await shortenedIfNeeded(comment, (text) =>
      comments.create(repository, comment.pullRequest, text),
    );
    return url;
  }
}

/** Removes comments whose text is in another one. What cannot be removed now is found by the next run. */
async function remove({ comments, repository }: Connection, others: readonly Comment[]): Promise<void> {
  for (const { id } of others) {
    await comments.remove(repository, id).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.code !== 'github-failed') throw error;
    });
  }
}

/** Writes the long text, or the short one if GitHub refuses the long one. */
async function shortenedIfNeeded<T>(
  { key, body, shortBody }: Pick<StickyComment, 'key' | 'body' | 'shortBody'>,
  write: (text: string) => Promise<T>,
): Promise<T> {
  const marked = (text: string): string => `${stickyMarker(key)}\n${text}`;
  try {
    return await write(marked(body));
  } catch (error) {
    if (failureDetails(error).status !== 422) throw error;
    return await write(marked(shortBody));
  }
}
