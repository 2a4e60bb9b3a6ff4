import type { Octokit } from './octokit.ts';

/** Requests the user of octokit's token. */
export async function requestCurrentUser(octokit: Octokit): Promise<{ readonly data: unknown }> {
  return octokit.rest.users.getAuthenticated();
}
