import type { GitHubConnection } from '../github/connection.ts';
import type { Step } from './step.ts';

/**
 * GitHub's API for the repository of the run; `undefined` without a token. Loaded only here: most actions never speak
 * to GitHub, and its client is a third of what they would load.
 */
export async function connectTo(
  token: string | undefined,
  { facts, context }: Step,
): Promise<GitHubConnection | undefined> {
  if (token === undefined) return undefined;
  const { connectGitHub } = await import('../github/connection.ts');
  const { apiUrl, repository } = facts;
  return connectGitHub({ apiUrl, token, repository, clock: context.clock, signal: context.signal });
}
