import { getOctokitOptions, GitHub } from '@actions/github/lib/utils';
import type { PooledFetch } from './pooled-fetch.ts';

export type Octokit = InstanceType<typeof GitHub>;

export interface OctokitOptions {
  /** Base of the API, `GITHUB_API_URL`; never a fixed host, so that GitHub servers of companies work. */
  readonly apiUrl: string;
  /** Without a token, each request brings its own authorization. */
  readonly token?: string;
  /** Milliseconds for one request. */
  readonly timeoutMs: number;
  /** Bytes of one answer; no limit by default. */
  readonly maxAnswerBytes?: number | undefined;
  /** The user's cancel. */
  readonly signal?: AbortSignal | undefined;
  /** Sends the requests, with a time limit of its own; by default undici's `fetch`, with the environment's proxy. */
  readonly fetch?: PooledFetch | undefined;
}

/** Octokit logs warnings, for example about clock differences. Its data may be secret, so nothing is logged. */
export const silentLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Creates GitHub's client with a time limit for each request; a redirect is an error. */
export function createOctokit({
  apiUrl,
  token,
  timeoutMs,
  maxAnswerBytes,
  signal,
  fetch: pooled,
}: OctokitOptions): Octokit {
  const options = { baseUrl: apiUrl.replace(/\/+$/u, ''), log: silentLog };
  const octokit = new GitHub(token === undefined ? options : getOctokitOptions(token, options));
  octokit.hook.before('request', (parameters) => {
    if (pooled !== undefined) {
      parameters.request = {
        ...parameters.request,
        fetch: pooled,
        ...(signal === undefined ? {} : { signal }),
      };
      return;
    }
    const timeout = AbortSignal.timeout(timeoutMs);
    // Octokit's hooks read the object that they were given: change it instead of passing on a copy.
    const send: typeof fetch = parameters.request.fetch ?? fetch;
    parameters.request = {
      ...parameters.request,
      ...(maxAnswerBytes === undefined ? {} : { fetch: limitAnswer(send, maxAnswerBytes) }),
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      // A redirect would send the token to another address.
      redirect: 'error',
    };
  });
  return octokit;
}

type Fetch = typeof fetch;

/** Makes reading an answer fail once it has more than `maxBytes`. */
function limitAnswer(send: Fetch, maxBytes: number): Fetch {
  return async (...given) => {
    const answer = await send(...given);
    if (answer.body === null) return answer;
    let size = 0;
    const limited = answer.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          size += chunk.byteLength;
          if (size > maxBytes) controller.error(new Error(`the answer is longer than ${maxBytes} bytes`));
          else controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = answer;
    return new Response(limited, { status, statusText, headers });
  };
}
