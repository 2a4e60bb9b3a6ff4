import { z } from 'zod';
import { requestCurrentUser } from '../access/current-user.ts';
import type { GitHubCaller, Send } from '../access/github-caller.ts';
import { readAnswer } from '../access/read-answer.ts';

const commentAnswer = z.object({
  id: z.number(),
  html_url: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string(), type: z.string() }).nullable(),
});

/** A comment of a pull request; `html_url` is its address for people. */
export type Comment = z.infer<typeof commentAnswer>;

type Matches = (comment: Comment) => boolean | Promise<boolean>;

/** Comments of pull requests. */
export interface Comments {
  /** The comments that match, oldest first. `since`: the time of the oldest, in milliseconds since 1970; all by default. */
  findAll(
    fullName: string,
    pull: number,
    matches: Matches,
    options?: { readonly since?: number },
  ): Promise<readonly Comment[]>;
  /** Whether a comment is ours: the App or the token's own user wrote it; with a token, also if any bot did. */
  isOwn(fullName: string, comment: Comment): Promise<boolean>;
  /** The current text of a comment; undefined if it was deleted. `since`: its time, in milliseconds since 1970. */
  textOf(
    fullName: string,
    comment: { readonly pull: number; readonly id: number; readonly since: number },
  ): Promise<string | undefined>;
  create(
    fullName: string,
    pull: number,
    body: string,
  ): Promise<{ readonly id: number; readonly url: string }>;
  /** Replaces a comment's text; returns its address. */
  update(fullName: string, id: number, body: string): Promise<string>;
  remove(fullName: string, id: number): Promise<void>;
}

const createdAnswer = z.object({ id: z.number(), html_url: z.string() });
const writtenAnswer = createdAnswer.pick({ html_url: true });
const userAnswer = z.object({ login: z.string() });

const permission = 'pull-requests: write';

export function createComments(github: GitHubCaller): Comments {
  const operationOf = (repository: string, pull: number): string =>
    `list the comments of pull request ${pull} of ${repository}`;

  /** The comments that match. With `max`, reads no more pages than it needs. */
  const search =
    (
      pull: number,
      matches: Matches,
      { since, max = Infinity }: { readonly since?: number; readonly max?: number } = {},
    ): Send =>
    async ({ octokit, owner, repo }) => {
      const comments: Comment[] = [];
      const pages = octokit.paginate.iterator(octokit.rest.issues.listComments, {
        owner,
        repo,
        issue_number: pull,
        ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
        per_page: 100,
      });
      for await (const { data } of pages) {
        for (const comment of readAnswer(z.array(commentAnswer), data))
          if (await matches(comment)) comments.push(comment);
        if (comments.length >= max) break;
      }
      return { data: comments };
    };

  /** Login of the user of the token; undefined for the token of a workflow or an App, which has no user. */
  async function ownLogin(repository: string): Promise<string | undefined> {
    const operation = 'read the user of the token';
    const user = await github.find(
      { operation, repository, absent: [401, 403, 404] },
      userAnswer,
      ({ octokit }) => requestCurrentUser(octokit),
    );
    return user?.login;
  }

  return {
    findAll: (repository, pull, matches, options) =>
      github.call(
        // The permission to write, because a caller that searches for a comment will update it.
        { operation: operationOf(repository, pull), repository, permission },
        z.array(commentAnswer),
        search(pull, matches, options),
      ),
    async isOwn(repository, { user }) {
      if (user === null) return false;
      if (user.type !== 'Bot') return (await ownLogin(repository)) === user.login;
      const app = await github.access.app();
      // The token of a workflow does not say whose it is.
      return app === undefined || user.login === `${app.name}[bot]`;
    },
    async textOf(repository, { pull, id, since }) {
      const comments = await github.find(
        { operation: operationOf(repository, pull), repository, permission: 'pull-requests: read' },
        z.array(commentAnswer),
        search(pull, (comment) => comment.id === id, { since, max: 1 }),
      );
      return comments?.[0]?.body ?? undefined;
    },
    async create(repository, pull, body) {
      const operation = `create a comment on pull request ${pull} of ${repository}`;
      const { id, html_url: url } = await github.call(
        { operation, repository, permission },
        createdAnswer,
        ({ octokit, owner, repo }) =>
          octokit.rest.issues.createComment({ owner, repo, issue_number: pull, body }),
      );
      return { id, url };
    },
    async update(repository, id, body) {
      const operation = `update a comment of ${repository}`;
      const { html_url } = await github.call(
        { operation, repository, permission },
        writtenAnswer,
        ({ octokit, owner, repo }) =>
          octokit.rest.issues.updateComment({ owner, repo, comment_id: id, body }),
      );
      return html_url;
    },
    async remove(repository, id) {
      // A comment that was deleted already need not be removed.
      await github.find(
        { operation: `remove a comment of ${repository}`, repository, permission },
        z.unknown(),
        ({ octokit, owner, repo }) => octokit.rest.issues.deleteComment({ owner, repo, comment_id: id }),
      );
    },
  };
}
