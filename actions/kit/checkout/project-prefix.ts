import path from 'node:path';

/**
 * What to put before a path of the project so that it is relative to the repository, with forward slashes; empty if
 * the project is the repository. Both folders without symbolic links.
 */
export function projectPrefix(repository: string, project: string, paths: path.PlatformPath = path): string {
  const between = paths.relative(repository, project).split(paths.sep).join('/');
  return between === '' ? '' : `${between}/`;
}
