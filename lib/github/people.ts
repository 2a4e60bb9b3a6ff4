import { z } from 'zod';
import type { Ask } from './ask.ts';

/** What a person may do in a repository. */
export interface Standing {
  /** GitHub's id of the person: logins can be registered again by somebody else. */
  readonly id: number;
  readonly mayWrite: boolean;
}

/** The commits of a pull request. */
export interface PullCommits {
  readonly head: string;
  /** What it was merged as; undefined while it is not merged. */
  readonly merged: string | undefined;
  /** When that was, in milliseconds since the epoch; both commits stay what they are from then on. */
  readonly mergedAt: number | undefined;
}

/** What the worker asks about people and pull requests. */
export interface People {
  /** Undefined for whom the repository knows nothing of. */
  standingOf(fullName: string, login: string): Promise<Standing | undefined>;
  pullCommits(fullName: string, number: number): Promise<PullCommits | undefined>;
  /** The text of a comment as it is now; undefined where it is gone. `since`: when it was written, in milliseconds. */
  commentText(
    fullName: string,
    comment: { readonly pull: number; readonly id: number; readonly since: number },
  ): Promise<string | undefined>;
}

/** `maintain` counts as `write` here; `role_name` may be anything that an organisation has made up. */
const standing = z.object({ permission: z.string(), user: z.object({ id: z.number() }) });

export function people(ask: Ask): People {
  return {
    async standingOf(fullName, login) {
      const data = await ask(
        `read what ${login} may do in ${fullName}`,
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
