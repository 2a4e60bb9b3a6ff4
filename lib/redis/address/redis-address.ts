import { isClusterUrl, readClusterUrl } from './cluster-url.ts';
import type { HostAndPort } from './read-hosts.ts';
import { isSentinelUrl, readSentinelUrl } from './sentinel-url.ts';

/** The address of a Redis. A socket's file permissions, a password or the URL's own credentials protect it. */
export type RedisAddress =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number; readonly password: string }
  | { readonly kind: 'url'; readonly url: string };

/** The address for messages, without credentials. */
export function describeRedisAddress(address: RedisAddress): string {
  if (address.kind === 'socket') return address.path;
  if (address.kind === 'tcp') return `${address.host}:${address.port}`;
  if (isSentinelUrl(address.url)) {
    const { sentinels, name } = readSentinelUrl(address.url);
    return `${describeHosts(sentinels)} (${name})`;
  }
  if (isClusterUrl(address.url)) return `${describeHosts(readClusterUrl(address.url).nodes)} (cluster)`;
  // A socket, or a host alone: nothing in them is secret.
  const [bare] = /^(?:\/[^?]*|[\w.-]+(?::\d+)?)$/.exec(address.url) ?? [];
  if (bare !== undefined) return bare;
  const url = URL.parse(address.url);
  return url === null ? 'MILLRACE_REDIS_URL' : `${url.protocol}//${url.host}${url.pathname}`;
}

const describeHosts = (hosts: readonly HostAndPort[]): string =>
  hosts.map(({ host, port }) => `${host}:${port}`).join(',');
