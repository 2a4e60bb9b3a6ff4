import path from 'node:path';

/**
 * The text that makes a path in the project relative to the repository, with forward slashes; empty if the project
 * is the root of the repository. Pass both folders with symbolic links resolved.
 */
export function projectPrefix(repository: string, project: string, paths: path.PlatformPath = path): string {
  const between = paths.relative(repository, project).split(paths.sep).join('/');
  return between === '' ? '' : `${between}/`;
}
