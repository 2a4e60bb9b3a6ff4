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
  /** Base of the API, `GITHUB_API_URL`: never a host of our choice, so that own servers of companies work. */
  readonly apiUrl: string;
  readonly token: string;
  /** `owner/name` */
  readonly repository: string;
  readonly clock?: Clock;
  /** How often a read is tried in all. */
  readonly attempts?: number;
  /** Milliseconds that one attempt may take. */
  readonly timeoutMs?: number;
  /** Milliseconds to wait in all, where GitHub asks for fewer requests; 0, the default, leaves that to the caller. */
  readonly patienceMs?: number;
  /** The user's cancel. */
  readonly signal?: AbortSignal;
}

const transient = new Set([429, 500, 502, 503, 504]);
const maxPauseMs = 60_000;

/**
 * Connects to GitHub. Reads are tried again after a fault of the network or the server, writes never are: a lost
 * answer to a comment would make a second comment. A refusal because of too many requests had no effect, so after
 * the time that GitHub asks for anything is sent again.
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
    // Octokit calls a fault of the network a 500.
    if (method !== 'GET' || !transient.has(statusOf(error) ?? 500)) return undefined;
    return Math.min(retryAfterOf(error) ?? 500 * 2 ** (attempt - 1), maxPauseMs);
  };
  octokit.hook.wrap('request', async (request, parameters) => {
    for (let attempt = 1; ; attempt += 1) {
      const limit = AbortSignal.timeout(timeoutMs);
      const within = signal === undefined ? limit : AbortSignal.any([limit, signal]);
      try {
        // Octokit's own hooks look at the object that they were bound to, not at one that we hand on.
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
