import type { Chunks } from './chunks.ts';

/** A request as it is sent, without its credential. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly origin: string;
  /** Path with query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: WireBody | undefined;
  /** Needs a new connection: see `lib/http/connections.ts`. */
  readonly fresh: boolean;
}

export type WireBody =
  | { readonly kind: 'text'; readonly text: string }
  /** Opened again for each attempt; `content-length` is in the headers. */
  | { readonly kind: 'stream'; open(): Chunks };

export interface WireAnswer {
  readonly status: number;
  /** Names in lower case; a repeated header's values joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}
