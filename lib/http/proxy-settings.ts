/** Proxies, as the variables HTTP_PROXY, HTTPS_PROXY and NO_PROXY hold them. */
export interface ProxySettings {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  readonly no?: string | undefined;
}

/**
 * The proxies of the environment. A variable in lower case wins over the one in upper case, and `proxy.example.com:3128` is
 * an http address, as in curl.
 */
export function proxyOf(environment: Readonly<Record<string, string | undefined>>): ProxySettings {
  const read = (name: string): string | undefined =>
    (environment[name.toLowerCase()] ?? environment[name])?.trim();
  return {
    http: withScheme(read('HTTP_PROXY')),
    https: withScheme(read('HTTPS_PROXY')),
    no: read('NO_PROXY'),
  };
}

function withScheme(address: string | undefined): string | undefined {
  if (address === undefined || address === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return address;
  return `http://${address}`;
}
