import { Failure } from '../../lib/core/errors/failure.ts';
import type { GitHubPort } from '../../lib/github/github-port.ts';

/** Reads teams and their members from GitHub, with the worker's own access. */
export interface TeamReader extends Pick<GitHubPort, 'repository'> {
  readonly people: Pick<GitHubPort['people'], 'isInTeam'>;
}

export type FoundTeam =
  | { readonly status: 'found'; readonly name: string }
  | { readonly status: 'none' }
  /** GitHub does not say who is in a team. */
  | { readonly status: 'unknown'; readonly reason: string };

/** A team, and the repository whose access is used to read the team from GitHub. */
export interface AskedTeam {
  readonly name: string;
  readonly repositoryId: number;
}

/** Finds the first of the teams that a person is in on GitHub now. */
export async function findTeam(
  login: string,
  teams: readonly AskedTeam[],
  github: TeamReader,
): Promise<FoundTeam> {
  try {
    for (const { name, repositoryId } of teams) {
      const { fullName } = await github.repository(repositoryId);
      if (await github.people.isInTeam(fullName, name, login)) return { status: 'found', name };
    }
    return { status: 'none' };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { status: 'unknown', reason: error.message };
  }
}
