import type { Pieces } from './pieces.ts';

/** A request as it goes over the wire, without its credential. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly origin: string;
  /** Path with query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: WireBody | undefined;
  /** Needs a connection that carried nothing before: see `connections.ts`. */
  readonly fresh: boolean;
}

export type WireBody =
  | { readonly kind: 'text'; readonly text: string }
  /** Made anew for each attempt; `content-length` is in the headers. */
  | { readonly kind: 'stream'; open(): Pieces };

export interface WireAnswer {
  readonly status: number;
  /** Names in lower case; a repeated header's values joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}
