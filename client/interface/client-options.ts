import type { Dispatcher } from 'undici';
import type { ProxySettings } from '../../lib/http/proxy-settings.ts';
import type { Clock, Logger, Random } from '../../lib/core/ports/ports.ts';
import type { Middleware } from '../transport/middleware.ts';

/**
 * Where the ID token (a signed JWT) of a workload comes from: given; a file, read again for each exchange; or GitHub,
 * asked for each exchange at the addresses that it gives to a job with the permission `id-token: write`. `audience`
 * is who the ID token is for; default: the token URL.
 */
export type IdTokenSource =
  | { readonly token: string }
  | { readonly file: string }
  | { readonly requestUrl: string; readonly requestToken: string; readonly audience?: string | undefined };

/**
 * The identity of a workload in place of a secret. Goes beyond the specification: the token URL must trust the issuer
 * of the ID token, and support the exchange: token exchange (RFC 8693), or the ID token as the client's assertion
 * (RFC 7523 §2.2).
 */
export interface WorkloadIdentity {
  readonly identity: 'token-exchange' | 'client-assertion';
  readonly idToken: IdTokenSource;
  readonly tokenUrl: string;
  readonly clientId?: string | undefined;
  readonly audience?: string | undefined;
}

/**
 * How calls are authenticated (spec §5; unknowns §1): a token; a file with a token, read again for each attempt so
 * that the token may be rotated; client credentials, exchanged for a token at `tokenUrl`; or a workload identity.
 */
export type Auth =
  | { readonly token: string }
  | { readonly tokenFile: string }
  | {
      readonly clientId: string;
      readonly clientSecret: string;
      readonly tokenUrl: string;
      readonly audience?: string | undefined;
    }
  | WorkloadIdentity;

export type { ProxySettings } from '../../lib/http/proxy-settings.ts';

export interface ClientOptions {
  /** The address of the platform, without `/v1`. */
  readonly baseUrl: string;
  readonly auth: Auth;
  /** Milliseconds that one attempt may take; for an upload, milliseconds without progress. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for all attempts and the waits between them. Default 180,000; uploads 3,600,000. */
  readonly deadlineMs?: number | undefined;
  /**
   * Time, by `clock`, at which all calls of this client end. It shortens their deadlines; a later call is not sent.
   * Milliseconds since the epoch. Default: never.
   */
  readonly untilMs?: number | undefined;
  /** Maximum number of times that a request is sent. Default 4. */
  readonly maxAttempts?: number | undefined;
  /** Maximum size of an answer in bytes. Default 32 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  readonly userAgent?: string | undefined;
  readonly proxy?: ProxySettings | undefined;
  /** PEM text of the certificate authorities to trust instead of the built-in ones. */
  readonly ca?: string | undefined;
  /**
   * Used instead of the client's own connections; the client does not close it. The chunks of an upload share
   * reusable buffers: a dispatcher that keeps a chunk must copy it.
   */
  readonly dispatcher?: Dispatcher | undefined;
  /** Controls the waits between attempts and the lifetime of a token; socket timers use real time. */
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly logger?: Logger | undefined;
  /** Called with each token that the client fetches, before it uses it, so that the caller can mask it elsewhere. */
  readonly onToken?: ((token: string) => void) | undefined;
  /** Layers around every attempt; the first is the outermost. */
  readonly middlewares?: readonly Middleware[] | undefined;
}

export interface CallOptions {
  /** Ends the call with `Cancelled` at any stage. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for the whole call: requests, waits, and the request for a token if one is needed. */
  readonly deadlineMs?: number | undefined;
  /**
   * Milliseconds to wait for the answer of a request that was already sent when the signal aborts. Useful for a
   * start: its answer names the execution to terminate. Nothing is sent after the abort. Default 0.
   */
  readonly answerGraceMs?: number | undefined;
  /**
   * Called during an upload with the bytes handed to the connection and the size of the whole body, part headers
   * included. A repeated upload starts again at zero. An exception thrown here aborts the upload and ends the call.
   */
  readonly onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
}
