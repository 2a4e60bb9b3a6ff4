import { z } from 'zod';
import type { GitHubCaller } from './github-caller.ts';

/** A person's permission in a repository. */
export interface RepositoryAccess {
  /** GitHub's id of the person, because another person can register the same login later. */
  readonly id: number;
  readonly mayWrite: boolean;
}

export interface People {
  /** Undefined for a person without a permission in the repository. */
  accessOf(fullName: string, login: string): Promise<RepositoryAccess | undefined>;
}

/** GitHub reports `maintain` as `write` here; `role_name` may be any role of an organization. */
const permissionAnswer = z.object({
  permission: z.string(),
  user: z.object({ id: z.number() }).nullish(),
});

export function createPeople(github: GitHubCaller): People {
  return {
    async accessOf(repository, login) {
      const found = await github.find(
        { operation: `read the permission of ${login} in ${repository}`, repository },
        permissionAnswer,
        ({ octokit, owner, repo }) =>
          octokit.rest.repos.getCollaboratorPermissionLevel({ owner, repo, username: login }),
      );
      if (found?.user === undefined || found.user === null) return undefined;
      return { id: found.user.id, mayWrite: ['admin', 'write'].includes(found.permission) };
    },
  };
}
