/** HTTP status of an error that octokit threw; `undefined` where the error is none of its. */
export function statusOf(error: unknown): number | undefined {
  const status: unknown = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}
