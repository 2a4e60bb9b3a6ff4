import { z } from 'zod';
import type { Ask } from './ask.ts';

/** A person's permission in a repository. */
export interface RepositoryAccess {
  /** GitHub's id of the person, because another person can register the same login later. */
  readonly id: number;
  readonly mayWrite: boolean;
}

/** The commits of a pull request. */
export interface PullCommits {
  readonly head: string;
  /** The merge commit; undefined before the merge. */
  readonly merged: string | undefined;
  /** Time of the merge, in milliseconds since the epoch; both commits are final from then on. */
  readonly mergedAt: number | undefined;
}

/** The worker's reads about people and pull requests. */
export interface People {
  /** Undefined for a person without a permission in the repository. */
  accessOf(fullName: string, login: string): Promise<RepositoryAccess | undefined>;
  pullCommits(fullName: string, number: number): Promise<PullCommits | undefined>;
  /**
   * The current text of a comment; undefined where it does not exist. `since`: time of the comment, in milliseconds
   * since the epoch.
   */
  commentText(
    fullName: string,
    comment: { readonly pull: number; readonly id: number; readonly since: number },
  ): Promise<string | undefined>;
}

/** `maintain` counts as `write` here; `role_name` may be a custom role of an organisation. */
const standing = z.object({ permission: z.string(), user: z.object({ id: z.number() }) });

export function people(ask: Ask): People {
  return {
    async accessOf(fullName, login) {
      const data = await ask(
        `read the permission of ${login} in ${fullName}`,
        fullName,
        ({ octokit, owner, repo }) =>
          octokit.rest.repos.getCollaboratorPermissionLevel({ owner, repo, username: login }),
      );
      const found = standing.safeParse(data).data;
      if (found === undefined) return undefined;
      return { id: found.user.id, mayWrite: ['admin', 'write'].includes(found.permission) };
    },
    async pullCommits(fullName, number) {
      const found = await ask(
        `read pull request ${number} of ${fullName}`,
        fullName,
        ({ octokit, owner, repo }) => octokit.rest.pulls.get({ owner, repo, pull_number: number }),
      );
      if (found === undefined) return undefined;
      return {
        head: found.head.sha,
        merged: found.merged ? (found.merge_commit_sha ?? undefined) : undefined,
        mergedAt: typeof found.merged_at === 'string' ? Date.parse(found.merged_at) : undefined,
      };
    },
    async commentText(fullName, { pull, id, since }) {
      const found = await ask(
        `read the comments of pull request ${pull} of ${fullName}`,
        fullName,
        ({ octokit, owner, repo }) =>
          octokit.rest.issues.listComments({
            owner,
            repo,
            issue_number: pull,
            since: new Date(since).toISOString(),
            per_page: 100,
          }),
      );
      return found?.find((comment) => comment.id === id)?.body;
    },
  };
}
