import { notFound } from '../answers/answer.ts';
import type { Repository, State } from './state.ts';

/** The repository with an id, such as the id in a path `/repositories/:id`; undefined if GitHub has none. */
export function findRepository({ repositories }: State, id: number | string): Repository | undefined {
  return [...repositories.values()].find((repository) => String(repository.id) === String(id));
}

/**
 * The repository that a path begins with, and the rest of the path, empty or with its slash: `/repos/:owner/:name` or
 * `/repositories/:id`. Throws a 404 if there is none.
 */
export function repositoryOfPath(state: State, path: string): { repository: Repository; rest: string } {
  const byName = /^\/repos\/([^/]+\/[^/]+)(\/.*)?$/u.exec(path);
  if (byName !== null) return { repository: state.repository(byName[1] ?? ''), rest: byName[2] ?? '' };
  const byId = /^\/repositories\/(\d+)(\/.*)?$/u.exec(path);
  const repository = findRepository(state, byId?.[1] ?? '');
  if (repository === undefined) throw notFound();
  return { repository, rest: byId?.[2] ?? '' };
}
