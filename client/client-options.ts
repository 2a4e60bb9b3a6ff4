import type { Dispatcher } from 'undici';
import type { Clock, Logger, Random } from '../lib/core/ports.ts';
import type { Middleware } from './middleware.ts';

/**
 * How calls are authenticated (spec §5; unknowns §1):
 * a ready-made token; a file that holds one and is read again for each call, so that it may be rotated;
 * or client credentials, exchanged for a token at `tokenUrl`.
 */
export type Auth =
  | { readonly token: string }
  | { readonly tokenFile: string }
  | {
      readonly clientId: string;
      readonly clientSecret: string;
      readonly tokenUrl: string;
      readonly audience?: string | undefined;
    };

/** Proxies, as the variables HTTP_PROXY, HTTPS_PROXY and NO_PROXY hold them. */
export interface ProxySettings {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  readonly no?: string | undefined;
}

export interface ClientOptions {
  /** The address of the platform, without `/v1`. */
  readonly baseUrl: string;
  readonly auth: Auth;
  /** Milliseconds that one attempt may take; in an upload, that it may stand still. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for all attempts and the waits between them. Default 180,000; uploads 3,600,000. */
  readonly deadlineMs?: number | undefined;
  /**
   * When, by `clock`, all calls of this client are over: it cuts their deadlines short, and a call that comes later is
   * not sent. Milliseconds since the epoch. Default: never.
   */
  readonly untilMs?: number | undefined;
  /** How often a request is sent at most. Default 4. */
  readonly maxAttempts?: number | undefined;
  /** Bytes of an answer that are read at most. Default 32 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  readonly userAgent?: string | undefined;
  readonly proxy?: ProxySettings | undefined;
  /** PEM text of the certificate authorities to trust, in place of the built-in ones. */
  readonly ca?: string | undefined;
  /**
   * Takes the place of the client's own connections, and is not closed by it. The pieces of an upload lie in buffers
   * that are used again: a dispatcher that keeps them must copy them.
   */
  readonly dispatcher?: Dispatcher | undefined;
  /** Waits between attempts and the life of a token follow it; the timers that guard a socket are real time. */
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly logger?: Logger | undefined;
  /** Layers around every attempt, the first one outermost. */
  readonly middlewares?: readonly Middleware[] | undefined;
}

export interface CallOptions {
  /** Ends the call with `Cancelled`, wherever it stands. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** For all of the call: requests, waits, and the token where one has to be asked for. */
  readonly deadlineMs?: number | undefined;
  /**
   * Milliseconds that a request which is on its way when the signal aborts may still take to be answered: for a start,
   * whose answer says what there is to terminate. Nothing is sent after the abort. Default 0.
   */
  readonly answerGraceMs?: number | undefined;
  /**
   * Told while an upload goes out: bytes that were handed to the connection, of the whole body with its part heads.
   * An upload that is sent again begins at zero again. What it throws breaks the upload off and ends the call.
   */
  readonly onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
}
