/**
 * The key that distinguishes the reviews of several projects in one repository: their check runs, and their comments.
 * @param directory the project's folder in the repository; `''` for its root
 */
export function reviewKey(directory: string): string {
  return directory === '' ? 'review' : `review ${directory}`;
}
