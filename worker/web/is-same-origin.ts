import type { IncomingMessage } from 'node:http';

/**
 * Whether a request comes from one of our own pages. Browsers say so themselves, in headers that no page can set;
 * what says nothing is no browser's form or script and is refused.
 */
export function isSameOrigin({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
