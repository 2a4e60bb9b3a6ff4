import type { Dispatcher } from 'undici';
import { decodeBody, isEncoded } from '../../http/decode-body.ts';
import { openConnections } from '../../http/connections.ts';
import type { ProxySettings } from '../../http/proxy-settings.ts';

/** The request that octokit passes to a `fetch`. */
export interface FetchRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** The parts of a response that octokit reads. */
export interface FetchResponse {
  readonly status: number;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** The body that octokit passes on with `parseSuccessResponseBody: false`. */
  readonly body: ReadableStream;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A `fetch` for octokit. Rejects if no whole answer arrives in time, and for a redirect, as `redirect: 'error'`. */
export type PooledFetch = (url: string, request: FetchRequest) => Promise<FetchResponse>;

export interface PooledFetchOptions {
  /** Milliseconds for one request. */
  readonly timeoutMs: number;
  readonly proxy?: ProxySettings | undefined;
  /** Bytes of one answer, as sent and decoded. By default 64 MiB: GitHub's own answers are far shorter. */
  readonly maxAnswerBytes?: number | undefined;
}

const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Sends requests on connections that stay open, below undici's `fetch`: its streams cost two to three times the CPU of
 * such a request (decision 014).
 */
export function createPooledFetch({
  timeoutMs,
  proxy,
  maxAnswerBytes = 64 * 1024 * 1024,
}: PooledFetchOptions): PooledFetch {
  const connections = openConnections({ proxy });
  return async (address, request) => {
    const url = new URL(address);
    const dispatcher = await connections.dispatcherFor(url.origin, false);
    const answer = await send(dispatcher, url, request, { timeoutMs, maxAnswerBytes });
    if (redirects.has(answer.status)) throw new TypeError('unexpected redirect');
    const body = await decode(answer, maxAnswerBytes);
    return {
      status: answer.status,
      url: address,
      headers: answer.headers,
      get body() {
        return new Blob([new Uint8Array(body)]).stream();
      },
      text: async () => body.toString('utf8'),
      arrayBuffer: async () => new Uint8Array(body).buffer,
    };
  };
}

interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

function send(
  dispatcher: Dispatcher,
  url: URL,
  request: FetchRequest,
  { timeoutMs, maxAnswerBytes }: { readonly timeoutMs: number; readonly maxAnswerBytes: number },
): Promise<Answer> {
  const { method, headers, body, signal } = request;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error);
    let abort: ((error: Error) => void) | undefined;
    let isOver = false;
    const end = (conclude: () => void): void => {
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      conclude();
    };
    const fail = (error: Error): void => {
      end(() => reject(error));
      abort?.(error);
    };
    const onAbort = (): void => fail(signal?.reason as Error);
    const timer = setTimeout(() => fail(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    let head: Omit<Answer, 'body'> = { status: 0, headers: new Map() };
    const chunks: Buffer[] = [];
    let bytes = 0;
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: method as Dispatcher.HttpMethod,
        headers: { ...headers, 'accept-encoding': 'gzip' },
        body: body ?? null,
      },
      {
        onConnect(stop) {
          abort = stop;
          // The time limit passed before there was a connection.
          if (isOver) stop(new Error('no longer wanted'));
        },
        onHeaders(status, raw) {
          if (status >= 200) head = { status, headers: readHeaders(raw) };
          return true;
        },
        onData(chunk) {
          bytes += chunk.length;
          chunks.push(chunk);
          if (bytes > maxAnswerBytes) fail(tooLong(maxAnswerBytes));
          return !isOver;
        },
        onComplete: () => end(() => resolve({ ...head, body: Buffer.concat(chunks, bytes) })),
        onError: (error) => end(() => reject(error)),
      },
    );
  });
}

async function decode({ headers, body }: Answer, maxAnswerBytes: number): Promise<Buffer> {
  const encoding = headers.get('content-encoding');
  if (!isEncoded(encoding)) return body;
  const decoded = await decodeBody(body, encoding, maxAnswerBytes);
  if (decoded.kind === 'decoded') return decoded.bytes;
  if (decoded.kind === 'too-large') throw tooLong(maxAnswerBytes);
  throw new Error(`the answer cannot be decoded: ${decoded.problem}`);
}

const tooLong = (maxAnswerBytes: number): Error =>
  new Error(`the answer is longer than ${maxAnswerBytes} bytes`);

function readHeaders(raw: readonly Buffer[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = String(raw[i]).toLowerCase();
    const value = String(raw[i + 1]);
    const previous = headers.get(name);
    headers.set(name, previous === undefined ? value : `${previous}, ${value}`);
  }
  return headers;
}
