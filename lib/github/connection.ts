import { getOctokit } from '@actions/github';
import type { Clock } from '../core/ports.ts';
import { systemClock } from '../core/system-clock.ts';
import { rateLimitOf, retryAfterOf } from './rate-limit.ts';
import { statusOf } from './request-status.ts';

type Octokit = ReturnType<typeof getOctokit>;

/** GitHub's API for one repository. */
export interface GitHubConnection {
  readonly octokit: Octokit;
  readonly owner: string;
  readonly repo: string;
}

export interface ConnectionOptions {
  /** Base of the API, `GITHUB_API_URL`: never a fixed host, so that GitHub Enterprise Server works. */
  readonly apiUrl: string;
  readonly token: string;
  /** `owner/name` */
  readonly repository: string;
  readonly clock?: Clock;
  /** Maximum number of attempts of a read. */
  readonly attempts?: number;
  /** Milliseconds that one attempt may take. */
  readonly timeoutMs?: number;
  /** Maximum total wait for GitHub's rate limits, in milliseconds. Default 0: the caller handles rate limits. */
  readonly patienceMs?: number;
  /** Aborts when the user cancels. */
  readonly signal?: AbortSignal;
}

const transient = new Set([429, 500, 502, 503, 504]);
const maxPauseMs = 60_000;

/**
 * Connects to GitHub. Reads are retried after an error of the network or the server; writes never are, because a
 * comment whose answer was lost would be created twice. A refusal because of a rate limit had no effect, so every
 * request is repeated after the wait that GitHub asks for.
 */
export function connectGitHub(options: ConnectionOptions): GitHubConnection {
  const {
    apiUrl,
    token,
    repository,
    clock = systemClock,
    attempts = 3,
    timeoutMs = 30_000,
    patienceMs = 0,
    signal,
  } = options;
  const [owner = '', repo = ''] = repository.split('/');
  const octokit = getOctokit(token, { baseUrl: apiUrl.replace(/\/+$/u, '') });
  let patienceLeft = patienceMs;
  const pauseAfter = (error: unknown, method: string, attempt: number): number | undefined => {
    const limited = patienceMs === 0 ? undefined : rateLimitOf(error, clock.now());
    if (limited !== undefined) {
      if (limited > patienceLeft) return undefined;
      patienceLeft -= limited;
      return limited;
    }
    // Octokit reports a network error as status 500.
    if (method !== 'GET' || !transient.has(statusOf(error) ?? 500)) return undefined;
    return Math.min(retryAfterOf(error) ?? 500 * 2 ** (attempt - 1), maxPauseMs);
  };
  octokit.hook.wrap('request', async (request, parameters) => {
    for (let attempt = 1; ; attempt += 1) {
      const limit = AbortSignal.timeout(timeoutMs);
      const within = signal === undefined ? limit : AbortSignal.any([limit, signal]);
      try {
        // Octokit's own hooks read the object that they were bound to, not the one that we pass on.
        parameters.request = { ...parameters.request, signal: within };
        return await request(parameters);
      } catch (error) {
        signal?.throwIfAborted();
        const pause = attempt < attempts ? pauseAfter(error, parameters.method, attempt) : undefined;
        if (pause === undefined) throw error;
        await clock.sleep(pause, signal);
      }
    }
  });
  return { octokit, owner, repo };
}
