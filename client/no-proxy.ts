/**
 * Whether NO_PROXY excepts an address: `*`, or a list of host names with an optional leading dot or `*.` (which
 * also cover what is below them) and an optional port.
 */
export function bypassesProxy(url: URL, list: string | undefined): boolean {
  const host = url.hostname.toLowerCase();
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return (list ?? '')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', wantedPort] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
      const suffix = name.replace(/^\*?\./, '');
      if (wantedPort !== undefined && wantedPort !== port) return false;
      return host === suffix || host.endsWith(`.${suffix}`);
    });
}
