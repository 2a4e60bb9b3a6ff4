/** The headers that show the origin of a request. */
interface OriginHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
}

/**
 * Whether a request comes from a page of this site. Browsers say so in headers that no page can set. A request
 * without these headers does not come from a browser's form or script, and is refused.
 */
export function isSameOrigin({ headers }: { readonly headers: OriginHeaders }): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
