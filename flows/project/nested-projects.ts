import { posix } from 'node:path';
import { isInPackages } from '../../lib/git/package-folder.ts';

const maxListed = 5;

/**
 * The folders below a folder that have a `millrace.yaml`, relative to that folder. `files` are relative to the
 * repository.
 */
export function nestedProjects(files: Iterable<string>, directory: string): readonly string[] {
  const under = directory === '' ? '' : `${directory}/`;
  return [...files]
    .filter((file) => file.startsWith(under) && file.endsWith('/millrace.yaml') && !isInPackages(file))
    .map((file) => posix.dirname(file).slice(under.length));
}

/** A sentence that says that a folder has no settings of its own, and which projects are below it. */
export function describeNestedProjects(projects: readonly string[]): string {
  const more = projects.length > maxListed ? ` and ${projects.length - maxListed} more` : '';
  return `This folder has no millrace.yaml, but these folders below it have one: ${projects.slice(0, maxListed).join(', ')}${more}.`;
}
