/** The headers that show the origin of a request. */
interface OriginHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
}

/**
 * Whether a request comes from one of our own pages. Browsers send this in headers that no page can set; a
 * request without them is not from a browser's form or script and is refused.
 */
export function isSameOrigin({ headers }: { readonly headers: OriginHeaders }): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
