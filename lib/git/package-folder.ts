/** The folder into which npm installs packages. Some packages contain pipelines, such as Millrace's own examples. */
export const packageFolder = 'node_modules';

/** Whether a path leads into installed packages, which do not belong to a project, even if git tracks them. */
export function isInPackages(path: string): boolean {
  return path.split('/').slice(0, -1).includes(packageFolder);
}
