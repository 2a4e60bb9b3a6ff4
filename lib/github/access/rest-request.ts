import { version } from '../../core/values/version.ts';
import type { PooledFetch } from './pooled-fetch.ts';

/** An answer of the REST API. */
export interface RestAnswer {
  /** Parsed JSON, or the text if the body is not JSON, as with octokit. */
  readonly data: unknown;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface RestRequest {
  readonly method: 'GET' | 'POST';
  /** From the base of the API, with its query; names from outside are encoded (`encodeURIComponent`). */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: object;
}

/** Encodes the path of a file, but not the slashes between its folders. */
export const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** The path of a repository, from its full name. */
export const repositoryPath = (fullName: string): string => `/repos/${encodePath(fullName)}`;

/** Sends one request. Throws an error with `response`, as octokit does, for the status 400 and above. */
export type SendRest = (request: RestRequest) => Promise<RestAnswer>;

/** An answer of GitHub that refuses something; its response is read by `responseOf`. */
class Refused extends Error {
  readonly response: { readonly status: number; readonly headers: RestAnswer['headers'] };

  constructor(message: string, response: Refused['response']) {
    super(message);
    this.response = response;
  }
}

interface DirectOptions {
  /** Base of the API. */
  readonly apiUrl: string;
  readonly token: string;
  readonly fetch: PooledFetch;
  readonly signal: AbortSignal | undefined;
}

/** Sends on pooled connections, without octokit: its layers cost more CPU than such a request itself (decision 014). */
export function sendDirectly({ apiUrl, token, fetch, signal }: DirectOptions): SendRest {
  const base = apiUrl.replace(/\/+$/u, '');
  const common = {
    accept: 'application/vnd.github.v3+json',
    // GitHub accepts both `token` and `bearer` for its own tokens.
    authorization: `token ${token}`,
    'user-agent': `millrace/${version}`,
  };
  return async ({ method, path, body }) => {
    const { status, headers, text } = await fetch(`${base}${path}`, {
      method,
      headers: body === undefined ? common : { ...common, 'content-type': 'application/json; charset=utf-8' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const answer = { data: parsed(await text()), headers: Object.fromEntries(headers) };
    if (status < 400) return answer;
    throw new Refused(reasonIn(answer.data), { status, headers: answer.headers });
  };
}

/** The pages of a list, as one list. */
export async function readPages(send: SendRest, path: string, apiUrl: string): Promise<RestAnswer> {
  const base = apiUrl.replace(/\/+$/u, '');
  const all: unknown[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const { data, headers }: RestAnswer = await send({ method: 'GET', path: next });
    // The answer is not a list. The caller reports that.
    if (!Array.isArray(data)) return { data, headers };
    all.push(...(data as unknown[]));
    next = nextIn(headers['link'], base);
  }
  return { data: all, headers: {} };
}

/** The next page by the header `Link`. An address outside the API is not followed, because it would get the token. */
function nextIn(link: unknown, base: string): string | undefined {
  const [, next] = /<([^<>]+)>;\s*rel="next"/u.exec(typeof link === 'string' ? link : '') ?? [];
  return next?.startsWith(`${base}/`) === true ? next.slice(base.length) : undefined;
}

function parsed(text: string): unknown {
  try {
    return text === '' ? '' : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
}

/** GitHub's message in octokit's form: `Validation Failed: {"code":"missing"} - https://docs…`. */
function reasonIn(data: unknown): string {
  if (typeof data !== 'object' || data === null || !('message' in data))
    return typeof data === 'string' ? data : 'Unknown error';
  const errors = 'errors' in data && Array.isArray(data.errors) ? (data.errors as unknown[]) : [];
  const details = errors.length === 0 ? '' : `: ${errors.map((error) => JSON.stringify(error)).join(', ')}`;
  const page = 'documentation_url' in data ? ` - ${String(data.documentation_url)}` : '';
  return `${String(data.message)}${details}${page}`;
}
