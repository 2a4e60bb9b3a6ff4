/** Turns a path in the project into a path in the repository. */
export function inRepository(directory: string, path: string): string {
  return directory === '' ? path : `${directory}/${path}`;
}
