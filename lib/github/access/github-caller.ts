import { AsyncLocalStorage } from 'node:async_hooks';
import type { z } from 'zod';
import type { Failure } from '../../core/errors/failure.ts';
import type { Clock } from '../../core/ports/ports.ts';
import { createRedactor } from '../../core/text/redactor.ts';
import type { ProxySettings } from '../../http/proxy-settings.ts';
import type { AccessHealth } from './access-health.ts';
import type { Allowances } from './allowances.ts';
import { responseOf } from './error-response.ts';
import type { AccountPermissions, GitHubAccess, RepositoryKey } from './github-access.ts';
import { failureDetails } from './failure-details.ts';
import { githubFailure, pausedFailure, type Permission } from './github-failure.ts';
import { createOctokit, type Octokit } from './octokit.ts';
import { createPooledFetch } from './pooled-fetch.ts';
import { limitsWritesOnly, readRateLimit, readRetryAfter } from './rate-limit.ts';
import { isWebPage, notFromGitHub, readAnswer } from './read-answer.ts';
import { readPages, type RestAnswer, type SendRest, sendDirectly } from './rest-request.ts';

/** GitHub's API for one call. */
export interface GitHubApi {
  readonly octokit: Octokit;
  /** Sends one request of the REST API with the least work. For the requests that every promotion sends. */
  readonly rest: SendRest;
  /** Reads all pages of a list in the same way. */
  pages(path: string): Promise<RestAnswer>;
  /** Masks the call's token in what GitHub answered. */
  readonly redact: (text: string) => string;
  /** Empty, as `repo`, if the repository is given by its id. */
  readonly owner: string;
  readonly repo: string;
}

/** Describes a call, for messages and for the choice of a token. */
export interface GitHubCall {
  /** What the call does, after `GitHub could not`: `read branch "main"`. */
  readonly operation: string;
  readonly repository: RepositoryKey;
  /** The permission that the call needs, for the hint of a failure. */
  readonly permission?: Permission;
  /**
   * `app`: the call is made as the App itself, not as its installation on the repository. Permissions: the call has access
   * to all repositories of the account, but only with these permissions.
   */
  readonly as?: 'app' | AccountPermissions;
}

/** One request, or one list over its pages; sent again as a whole with a new token if GitHub rejects the first. */
export type Send = (api: GitHubApi) => Promise<{ readonly data: unknown }>;

/**
 * Calls GitHub's API for actions and worker; no other code calls it. Every failure is a Failure 'github-failed' with
 * GitHubFailureDetails; a cancelled call throws the signal's reason.
 */
export interface GitHubCaller {
  readonly access: GitHubAccess;
  call<T>(call: GitHubCall, answer: z.ZodType<T>, send: Send): Promise<T>;
  /** Like `call`, but `undefined` if GitHub answers with a status of `absent` (404 by default), unless it is a rate limit. */
  find<T>(
    call: GitHubCall & { readonly absent?: readonly number[] },
    answer: z.ZodType<T>,
    send: Send,
  ): Promise<T | undefined>;
}

export interface GitHubCallerOptions {
  /** Base of the API, `GITHUB_API_URL`. */
  readonly apiUrl: string;
  /** `tokenAccess` or `appAccess`. */
  readonly access: GitHubAccess;
  readonly clock: Clock;
  /** Milliseconds for one request. */
  readonly timeoutMs: number;
  /** Maximum number of times that a request is sent; 1 by default. */
  readonly attempts?: number;
  /** Milliseconds that all calls together may wait for rate limits. With 0, the default, the caller must wait. */
  readonly patienceMs?: number;
  /** The user's cancel. */
  readonly signal?: AbortSignal | undefined;
  /** The proxy on the way to GitHub. */
  readonly proxy?: ProxySettings | undefined;
  /** Records what each call shows about the access to its repository. */
  readonly health?: AccessHealth | undefined;
  /** Records what GitHub states about the rest of the allowance. */
  readonly allowances?: Allowances | undefined;
}

/** GitHub's API with one token. */
type Client = Omit<GitHubApi, 'owner' | 'repo'>;

type Result<T> = { readonly ok: true; readonly data: T } | { readonly ok: false; readonly failure: Failure };

const transientStatuses = new Set([500, 502, 503, 504]);
const maxRetryPauseMs = 60_000;

/** Maximum number of clients that are kept, one for each token. */
const maxClients = 200;

/**
 * Creates the caller. A read is sent again after a network or server failure. A write is not: if only its answer was
 * lost, it would take effect twice. A request that GitHub refused because of a rate limit had no effect, so any request
 * is sent again after the pause, if the patience is long enough. Until a pause ends, nothing is sent for the same
 * account, or no write if GitHub limits only those: GitHub bans clients that ignore its limits.
 */
export function createGitHubCaller(options: GitHubCallerOptions): GitHubCaller {
  const { apiUrl, access, clock, timeoutMs, proxy, signal, health, allowances } = options;
  const fetch = createPooledFetch({ timeoutMs, proxy });
  const attempts = createAttempts(options);

  async function tokenOf({ repository, as }: GitHubCall, renewToken: boolean): Promise<string> {
    if (as === 'app') return (await access.appToken()) ?? '';
    return as === undefined
      ? access.tokenFor(repository, renewToken)
      : access.accountTokenFor(repository, as, renewToken);
  }

  /** The call that a request belongs to: one client of GitHub serves all calls with its token. */
  const calls = new AsyncLocalStorage<{ readonly account: string; readonly operation: string }>();
  const clients = new Map<string, Client>();

  /** Sends a request of a call, after the pauses that GitHub asked for; records what its answer shows. */
  async function sendInTurn<Response extends RestAnswer>(
    method: string,
    send: () => Response | Promise<Response>,
  ): Promise<Response> {
    const { account, operation } = calls.getStore() ?? { account: '', operation: '' };
    if (method !== 'GET') await attempts.waitForPause('writes', account, operation);
    let response: Response;
    try {
      response = await attempts.repeat({ method, account }, send);
    } catch (error) {
      allowances?.record(account, responseOf(error)?.headers ?? {});
      throw error;
    }
    allowances?.record(account, response.headers);
    if (isWebPage(response.data)) throw notFromGitHub();
    return response;
  }

  function clientFor(token: string): Client {
    const existing = clients.get(token);
    if (existing !== undefined) return existing;
    const octokit = createOctokit({ apiUrl, token, signal, fetch });
    octokit.hook.wrap('request', async (send, parameters) =>
      sendInTurn(isQuery(parameters) ? 'GET' : parameters.method, async () => send(parameters)),
    );
    const direct = sendDirectly({ apiUrl, token, fetch, signal });
    const rest: SendRest = async (request) => sendInTurn(request.method, async () => direct(request));
    const client: Client = {
      octokit,
      rest,
      pages: async (path) => readPages(rest, path, apiUrl),
      // Created only when needed: few clients ever have an error.
      redact: (text) => createRedactor([token]).text(text),
    };
    // Tokens of an App are replaced each hour, one for each repository.
    if (clients.size >= maxClients) clients.clear();
    clients.set(token, client);
    return client;
  }

  async function open(call: GitHubCall, renewToken: boolean): Promise<GitHubApi> {
    const { repository } = call;
    const client = clientFor(await tokenOf(call, renewToken));
    const [owner = '', repo = ''] = typeof repository === 'string' ? repository.split('/') : [];
    return { ...client, owner, repo };
  }

  async function perform<T>(call: GitHubCall, answer: z.ZodType<T>, send: Send): Promise<Result<T>> {
    const { repository, as } = call;
    if (as === 'app') return performOnce(call, answer, send);
    try {
      const result = await performOnce(call, answer, send);
      if (result.ok) health?.succeeded(access.keyOf(repository));
      else health?.failed(access.keyOf(repository), failureDetails(result.failure).cause);
      return result;
    } catch (error) {
      // There is no token, for example because the App is suspended or not installed.
      health?.failed(access.keyOf(repository), failureDetails(error).cause);
      throw error;
    }
  }

  async function performOnce<T>(call: GitHubCall, answer: z.ZodType<T>, send: Send): Promise<Result<T>> {
    const { operation, repository, permission, as } = call;
    const account = as === 'app' ? as : await access.accountOf(repository);
    await attempts.waitForPause('all', account, operation);
    for (let renewToken = false; ; renewToken = true) {
      const api = await open(call, renewToken);
      try {
        const { data } = await calls.run({ account, operation }, () => send(api));
        return { ok: true, data: readAnswer(answer, data) };
      } catch (error) {
        signal?.throwIfAborted();
        const failure = githubFailure(error, { operation, permission, now: clock.now(), redact: api.redact });
        if (!renewToken && as !== 'app' && (await isStale(repository, failure))) continue;
        return { ok: false, failure };
      }
    }
  }

  /** Whether the token of an App is outdated, so that a new token may help. */
  async function isStale(repository: RepositoryKey, failure: Failure): Promise<boolean> {
    if (access.kind !== 'app') return false;
    const { status, pauseMs } = failureDetails(failure);
    if (status === 401) return true;
    // Transferred, or removed and installed again: the old installation may not see the repository any more.
    return pauseMs === undefined && (status === 403 || status === 404) && access.hasMoved(repository);
  }

  return {
    access,
    async call(call, answer, send) {
      const result = await perform(call, answer, send);
      if (result.ok) return result.data;
      throw result.failure;
    },
    async find({ absent = [404], ...call }, answer, send) {
      const result = await perform(call, answer, send);
      if (result.ok) return result.data;
      const { status, pauseMs } = failureDetails(result.failure);
      if (status !== undefined && absent.includes(status) && pauseMs === undefined) return undefined;
      throw result.failure;
    },
  };
}

/** A query of the GraphQL API is a POST that only reads; a mutation writes. */
const isQuery = ({ url, query }: { readonly url: string; readonly query?: unknown }): boolean =>
  url.endsWith('/graphql') && !(typeof query === 'string' && query.startsWith('mutation'));

/** Repeats requests, and waits for the pauses that GitHub asks for. */
interface Attempts {
  /** Sends until there is an answer. Throws the last error when no more attempt is allowed. */
  repeat<T>(
    request: { readonly method: string; readonly account: string },
    send: () => T | Promise<T>,
  ): Promise<T>;
  /** Waits for the end of a pause that GitHub asked for. Throws Failure 'github-failed' if that takes too long. */
  waitForPause(of: 'all' | 'writes', account: string, operation: string): Promise<void>;
}

function createAttempts({ clock, attempts = 1, patienceMs = 0, signal }: GitHubCallerOptions): Attempts {
  /** When the pauses end: by account for all its requests, and by account for its writes only. */
  const pausedUntil = { all: new Map<string, number>(), writes: new Map<string, number>() };
  let patienceLeft = patienceMs;

  /** Waits for the end of a pause; false, without waiting, if the pause is longer than the patience that is left. */
  async function waitFor(pauseMs: number): Promise<boolean> {
    if (pauseMs > patienceLeft) return false;
    patienceLeft -= pauseMs;
    await clock.sleep(pauseMs, signal);
    return true;
  }

  /** Waits before another attempt; false if there must be none. */
  async function mayRetry(
    error: unknown,
    { method, account, attempt }: { method: string; account: string; attempt: number },
  ): Promise<boolean> {
    const limitMs = readRateLimit(error, clock.now());
    if (limitMs !== undefined) {
      pausedUntil[limitsWritesOnly(error, method) ? 'writes' : 'all'].set(account, clock.now() + limitMs);
      return attempt < attempts && (await waitFor(limitMs));
    }
    const response = responseOf(error);
    const isTransient = response === undefined || transientStatuses.has(response.status);
    if (attempt >= attempts || method !== 'GET' || !isTransient) return false;
    const retryAfterMs = response === undefined ? undefined : readRetryAfter(response);
    await clock.sleep(Math.min(retryAfterMs ?? 500 * 2 ** (attempt - 1), maxRetryPauseMs), signal);
    return true;
  }

  return {
    async repeat(request, send) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await send();
        } catch (error) {
          signal?.throwIfAborted();
          if (!(await mayRetry(error, { ...request, attempt }))) throw error;
        }
      }
    },
    async waitForPause(of, account, operation) {
      const pauseMs = (pausedUntil[of].get(account) ?? 0) - clock.now();
      if (pauseMs > 0 && !(await waitFor(pauseMs))) throw pausedFailure(operation, pauseMs);
    },
  };
}
