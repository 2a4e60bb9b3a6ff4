import { getOctokitOptions, GitHub } from '@actions/github/lib/utils';
import type { PooledFetch } from './pooled-fetch.ts';

export type Octokit = InstanceType<typeof GitHub>;

export interface OctokitOptions {
  /** Base of the API, `GITHUB_API_URL`; never a fixed host, so that GitHub servers of companies work. */
  readonly apiUrl: string;
  /** Without a token, each request brings its own authorization. */
  readonly token?: string;
  /** The user's cancel. */
  readonly signal?: AbortSignal | undefined;
  /** Sends the requests, with a time limit of its own. A redirect is an error: it would send the token to another address. */
  readonly fetch: PooledFetch;
}

/** Octokit logs warnings, for example about clock differences. Its data may be secret, so nothing is logged. */
export const silentLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Creates GitHub's client, which sends through the connections of `fetch`. */
export function createOctokit({ apiUrl, token, signal, fetch }: OctokitOptions): Octokit {
  const options = { baseUrl: apiUrl.replace(/\/+$/u, ''), log: silentLog };
  const octokit = new GitHub(token === undefined ? options : getOctokitOptions(token, options));
  octokit.hook.before('request', (parameters) => {
    // Octokit's hooks read the object that they were given: change it instead of passing on a copy.
    parameters.request = { ...parameters.request, fetch, ...(signal === undefined ? {} : { signal }) };
  });
  return octokit;
}
