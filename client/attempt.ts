import type { WireAnswer } from './wire.ts';

/** How one attempt at a request ended. */
export type AttemptEnd =
  | { readonly kind: 'answered'; readonly answer: WireAnswer }
  /** Provably not a byte of the request left: refused, DNS, connect time-out, certificate, proxy. */
  | { readonly kind: 'never-sent'; readonly problem: string; readonly permanent: boolean }
  /** It may have been processed: reset, silence, a body that broke off. */
  | { readonly kind: 'lost'; readonly problem: string; readonly status?: number }
  /** Longer than the client reads. */
  | { readonly kind: 'too-large'; readonly status: number }
  /** It came whole, but its `content-encoding` cannot be taken off. */
  | { readonly kind: 'undecodable'; readonly status: number; readonly problem: string }
  /** The caller's signal aborted it; `sent` tells whether it had left. */
  | { readonly kind: 'cancelled'; readonly sent: boolean };
