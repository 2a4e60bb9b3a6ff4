import { z } from 'zod';
import { Failure } from '../../core/errors/failure.ts';
import type { GitHubCaller } from '../access/github-caller.ts';

export interface GitHubRepository {
  readonly id: number;
  /** The current name: names change, the id does not. */
  readonly fullName: string;
  readonly defaultBranch: string;
  /** The global id; undefined if GitHub's answer does not have it. */
  readonly node?: string | undefined;
}

export interface Repositories {
  /** The repository with an id. Throws Failure 'github-failed' if there is none or the token has no access. */
  repository(id: number): Promise<GitHubRepository>;
}

const repositoryAnswer = z.object({
  full_name: z.string(),
  default_branch: z.string(),
  node_id: z.string().optional(),
});

export function createRepositories(github: GitHubCaller): Repositories {
  return {
    async repository(id) {
      const repository = await github.find(
        { operation: `find repository ${id}`, repository: id, permission: 'contents: read' },
        repositoryAnswer,
        ({ rest }) => rest({ method: 'GET', path: `/repositories/${id}` }),
      );
      if (repository === undefined) {
        throw new Failure('github-failed', {
          message: `GitHub has no repository with the id ${id}, or the token has no access to it.`,
          hint: 'Check the id in worker.yaml, and give the token or App the permission "contents: read" for that repository.',
        });
      }
      github.access.learn(repository.full_name, id);
      return {
        id,
        fullName: repository.full_name,
        defaultBranch: repository.default_branch,
        node: repository.node_id,
      };
    },
  };
}
