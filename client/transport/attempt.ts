import type { WireAnswer } from './wire.ts';

/** How one attempt at a request ended. */
export type AttemptEnd =
  | { readonly kind: 'answered'; readonly answer: WireAnswer }
  /** No byte of the request left this machine: refused, DNS, connect time-out, certificate, proxy. */
  | { readonly kind: 'never-sent'; readonly problem: string; readonly permanent: boolean }
  /** The platform may have processed it: reset connection, no answer, truncated body. */
  | { readonly kind: 'lost'; readonly problem: string; readonly status?: number }
  /** The answer is longer than the client's limit. */
  | { readonly kind: 'too-large'; readonly status: number }
  /** The answer is complete, but its `content-encoding` cannot be decoded. */
  | { readonly kind: 'undecodable'; readonly status: number; readonly problem: string }
  /** The caller's signal aborted it; `sent`: whether the request had left. */
  | { readonly kind: 'cancelled'; readonly sent: boolean };
