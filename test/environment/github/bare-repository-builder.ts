import process from 'node:process';
import {
  buildRepository as build,
  type RepositoryBuilder,
} from '../../../local-github/git/bare-repository-builder.ts';

export type {
  Changes,
  CommitOptions,
  RepositoryBuilder,
} from '../../../local-github/git/bare-repository-builder.ts';

/** Makes `<gitRoot>/<owner>/<name>` as an empty bare repository whose default branch is `main`. */
export function buildRepository(gitRoot: string, fullName: string): Promise<RepositoryBuilder> {
  return build(gitRoot, fullName, process.env);
}
