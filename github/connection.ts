import { getOctokit } from '@actions/github';
import { z } from 'zod';
import type { Clock } from '../model/ports.ts';
import { systemClock } from '../model/system-clock.ts';
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
  /** The user's cancel. */
  readonly signal?: AbortSignal;
}

const transient = new Set([429, 500, 502, 503, 504]);

/**
 * Connects to GitHub. Reads are tried again after a fault of the network or the server, writes never are: a lost
 * answer to a comment would make a second comment.
 */
export function connectGitHub(options: ConnectionOptions): GitHubConnection {
  const {
    apiUrl,
    token,
    repository,
    clock = systemClock,
    attempts = 3,
    timeoutMs = 30_000,
    signal,
  } = options;
  const [owner = '', repo = ''] = repository.split('/');
  const octokit = getOctokit(token, { baseUrl: apiUrl.replace(/\/+$/u, '') });
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
        const status = statusOf(error);
        // Octokit calls a fault of the network a 500.
        if (parameters.method !== 'GET' || attempt >= attempts || !transient.has(status ?? 500)) throw error;
        await clock.sleep(Math.min(retryAfter(error) ?? 500 * 2 ** (attempt - 1), 60_000), signal);
      }
    }
  });
  return { octokit, owner, repo };
}

/** Milliseconds that the server asked for. */
function retryAfter(error: unknown): number | undefined {
  const answer = z
    .object({ response: z.object({ headers: z.record(z.string(), z.unknown()) }) })
    .safeParse(error);
  const header = answer.data?.response.headers['retry-after'];
  const seconds = header === undefined ? NaN : Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}
