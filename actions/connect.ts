import { connectGitHub, type GitHubConnection } from '../github/connection.ts';
import type { Step } from './step.ts';

/** GitHub's API for the repository of the run; `undefined` without a token. */
export function connectTo(token: string | undefined, { facts, context }: Step): GitHubConnection | undefined {
  if (token === undefined) return undefined;
  const { apiUrl, repository } = facts;
  return connectGitHub({ apiUrl, token, repository, clock: context.clock, signal: context.signal });
}
