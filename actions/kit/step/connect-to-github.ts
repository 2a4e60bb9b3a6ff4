import type { GitHubConnection } from '../../../lib/github/workflow-run/connect-github.ts';
import { proxyOf } from '../../../lib/http/proxy-settings.ts';
import type { Step } from './step.ts';

/** How long to wait for GitHub's rate limit. After that, the report is shown without GitHub's API. */
const patienceMs = 120_000;

/**
 * GitHub's API for the repository of the run; `undefined` without a token. The client is imported only here, because most
 * actions do not call GitHub, and it is a third of the code to load.
 */
export async function connectToGitHub(
  token: string | undefined,
  { facts, environment, context }: Step,
): Promise<GitHubConnection | undefined> {
  if (token === undefined) return undefined;
  const { connectGitHub } = await import('../../../lib/github/workflow-run/connect-github.ts');
  const { apiUrl, repository } = facts;
  return connectGitHub({
    apiUrl,
    token,
    repository,
    clock: context.clock,
    proxy: proxyOf(environment),
    signal: context.signal,
    patienceMs,
  });
}
