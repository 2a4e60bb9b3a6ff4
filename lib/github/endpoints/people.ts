import { z } from 'zod';
import type { GitHubCaller } from '../access/github-caller.ts';

/** The login that GitHub's website uses as the committer of a merge. */
export const websiteLogin = 'web-flow';

/** A person's permission in a repository. */
export interface RepositoryAccess {
  /** GitHub's id of the person, because another person can register the same login later. */
  readonly id: number;
  readonly mayWrite: boolean;
}

export interface People {
  /** Undefined for a person without a permission in the repository. */
  accessOf(fullName: string, login: string): Promise<RepositoryAccess | undefined>;
  /** Whether a person is an active member of a team, written as `@organization/team`. Asks with the token of a repository. */
  isInTeam(fullName: string, team: string, login: string): Promise<boolean>;
  /** Whether the token of a repository can see a team. If it cannot, no person counts as a member of the team. */
  seesTeam(fullName: string, team: string): Promise<boolean>;
}

/** GitHub reports `maintain` as `write` here; `role_name` may be any role of an organization. */
const permissionAnswer = z.object({
  permission: z.string(),
  user: z.object({ id: z.number() }).nullish(),
});

const membershipAnswer = z.object({ state: z.string() });

const teamAnswer = z.object({ slug: z.string() });

export function createPeople(github: GitHubCaller): People {
  return {
    async accessOf(repository, login) {
      const access = await github.find(
        { operation: `read the permission of ${login} in ${repository}`, repository },
        permissionAnswer,
        ({ octokit, owner, repo }) =>
          octokit.rest.repos.getCollaboratorPermissionLevel({ owner, repo, username: login }),
      );
      if (access?.user === undefined || access.user === null) return undefined;
      return { id: access.user.id, mayWrite: ['admin', 'write'].includes(access.permission) };
    },
    async isInTeam(repository, team, login) {
      const [org = '', slug = ''] = partsOf(team);
      const membership = await github.find(
        { operation: `read whether ${login} is in ${team}`, repository, permission: 'members: read' },
        membershipAnswer,
        ({ octokit }) =>
          octokit.rest.teams.getMembershipForUserInOrg({ org, team_slug: slug, username: login }),
      );
      // An invitation that was not accepted is `pending`.
      return membership?.state === 'active';
    },
    async seesTeam(repository, team) {
      const [org = '', slug = ''] = partsOf(team);
      const visibleTeam = await github.find(
        { operation: `read team ${team}`, repository, permission: 'members: read' },
        teamAnswer,
        ({ octokit }) => octokit.rest.teams.getByName({ org, team_slug: slug }),
      );
      return visibleTeam !== undefined;
    },
  };
}

function partsOf(team: string): readonly string[] {
  return team.replace('@', '').split('/');
}
