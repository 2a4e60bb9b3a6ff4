import type { IncomingMessage } from 'node:http';

export interface Request {
  readonly method: string;
  /** Path after the API's base path, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}
