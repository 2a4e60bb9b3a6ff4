import type { GitHubConnection } from '../../lib/github/connection.ts';
import type { Step } from './step.ts';

/** Reports are worth a short wait, not the job's time; what GitHub still refuses then is said in another way. */
const patienceMs = 120_000;

/**
 * GitHub's API for the repository of the run; `undefined` without a token. Loaded only here: most actions never speak
 * to GitHub, and its client is a third of what they would load.
 */
export async function connectTo(
  token: string | undefined,
  { facts, context }: Step,
): Promise<GitHubConnection | undefined> {
  if (token === undefined) return undefined;
  const { connectGitHub } = await import('../../lib/github/connection.ts');
  const { apiUrl, repository } = facts;
  return connectGitHub({
    apiUrl,
    token,
    repository,
    clock: context.clock,
    signal: context.signal,
    patienceMs,
  });
}
