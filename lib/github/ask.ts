import { connectGitHub, type GitHubConnection } from './connection.ts';
import { Failure } from '../core/failure.ts';
import type { Clock } from '../core/ports.ts';
import type { GitHubAccess, RepositoryKey } from './github-access.ts';
import { githubProblem, isAbsent, problemOf } from './github-problem.ts';

export interface AskOptions {
  /** Statuses that mean “does not exist”. Default: 404. */
  readonly absent?: readonly number[];
  /** Makes the call as the App itself, not as its installation on the repository. */
  readonly as?: 'app';
}

/**
 * One call to GitHub about a repository; resolves to undefined where the thing does not exist. Throws Failure
 * 'github-failed'.
 */
export type Ask = <T>(
  doing: string,
  repository: RepositoryKey,
  call: (connection: GitHubConnection) => Promise<{ readonly data: T }>,
  options?: AskOptions,
) => Promise<T | undefined>;

export interface AskContext {
  readonly apiUrl: string;
  readonly access: GitHubAccess;
  readonly clock: Clock;
  /** Milliseconds that one request may take. */
  readonly timeoutMs: number;
}

/**
 * Calls GitHub with the current token, and once more with a new one where GitHub refuses the token. Sends nothing
 * during a pause that GitHub asked for, because GitHub blocks clients that ignore it.
 */
export function createAsk({ apiUrl, access, clock, timeoutMs }: AskContext): Ask {
  const pausedUntil = new Map<string, number>();

  async function connect(
    key: RepositoryKey,
    as: AskOptions['as'],
    refused: boolean,
  ): Promise<GitHubConnection> {
    const token = as === 'app' ? ((await access.appToken()) ?? '') : await access.tokenFor(key, refused);
    const connection = connectGitHub({ apiUrl, token, repository: String(key), clock });
    connection.octokit.hook.before('request', (request) => {
      // A redirect would send the token to another host.
      request.request = { ...request.request, signal: AbortSignal.timeout(timeoutMs), redirect: 'error' };
    });
    return connection;
  }

  return async (doing, key, call, { absent = [404], as } = {}) => {
    const account = as ?? (await access.accountOf(key));
    const pauseMs = (pausedUntil.get(account) ?? 0) - clock.now();
    if (pauseMs > 0) {
      throw new Failure('github-failed', {
        message: `GitHub could not ${doing}: it asked to wait another ${Math.ceil(pauseMs / 1_000)} s.`,
        // Not sent, so nothing changed.
        details: { status: 429, refused: true, pauseMs },
      });
    }
    for (let refused = false; ; refused = true) {
      const connection = await connect(key, as, refused);
      try {
        return (await call(connection)).data;
      } catch (error) {
        if (isAbsent(error, absent)) return undefined;
        if (isAbsent(error, [401]) && !refused && access.kind === 'app') continue;
        const failure = githubProblem(doing, error);
        const pause = problemOf(failure).pauseMs;
        if (pause !== undefined) pausedUntil.set(account, clock.now() + pause);
        throw failure;
      }
    }
  };
}
