import { BlockList, isIP, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';

/**
 * Whether NO_PROXY excludes an address from the proxy. NO_PROXY is a list, separated by commas or spaces, of
 * entries as curl, Go and Python accept them: `*`; a host name, which includes its subdomains, with an optional
 * leading `.` or `*.`; an IPv4 or IPv6 address, the latter with or without brackets; a network such as `10.0.0.0/8`
 * or `fd00::/8`; and a pattern such as `127.*`. A name, an address or a pattern may end with a port. Any other
 * entry is ignored.
 */
export function bypassesProxy(url: URL, list: string | undefined): boolean {
  const host = url.hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return (list ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== '' && excepts(entry, host, port));
}

function excepts(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const { name, port: entryPort } = partsOf(entry);
  if (entryPort !== undefined && entryPort !== port) return false;
  const family = isIP(host);
  const [network = '', prefix] = name.split('/');
  if (prefix !== undefined || isIP(network) !== 0)
    return family !== 0 && isIn(host, withoutBrackets(network), prefix);
  const suffix = name.replace(/^\*?\./, '').replace(/\.$/, '');
  if (suffix.includes('*')) return patternOf(suffix).test(host);
  // A part of an address is not a domain: `0.0.1` does not except 127.0.0.1.
  if (family !== 0 || suffix === '') return false;
  const ascii = domainToASCII(suffix) || suffix;
  return host === ascii || host.endsWith(`.${ascii}`);
}

/** An address of IPv6 has colons of its own: it needs brackets to have a port. */
function partsOf(entry: string): { readonly name: string; readonly port: string | undefined } {
  if (isIPv6(entry.split('/')[0] ?? '')) return { name: entry, port: undefined };
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  return { name: withoutBrackets(name), port };
}

const withoutBrackets = (name: string): string => name.replace(/^\[(.*)\](\/\d+)?$/, '$1$2');

function isIn(host: string, network: string, prefix: string | undefined): boolean {
  const family = isIP(network);
  if (family === 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return false;
  const longest = family === 6 ? 128 : 32;
  const length = prefix === undefined ? longest : Number(prefix);
  // `::/0` has no address of IPv4.
  if (length > longest || (family === 6 && !isIPv6(host))) return false;
  const block = new BlockList();
  block.addSubnet(network, length, family === 6 ? 'ipv6' : 'ipv4');
  return block.check(host, isIPv6(host) ? 'ipv6' : 'ipv4');
}

/** `*` is any text. The parts between are compared as they are. */
function patternOf(pattern: string): RegExp {
  const parts = pattern.split(/\*+/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

/**
 * NO_PROXY in both spellings for a program that this one starts, with the addresses of this machine added: a proxy does not reach
 * a server on loopback. Empty if no proxy is set.
 */
export function loopbackExcepted(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const names = ['http_proxy', 'https_proxy', 'all_proxy'];
  const isSet = names.some((name) => (environment[name] ?? environment[name.toUpperCase()] ?? '') !== '');
  if (!isSet) return {};
  const current = (environment['no_proxy'] ?? environment['NO_PROXY'])?.trim() ?? '';
  const list = [...(current === '' ? [] : [current]), 'localhost', '127.0.0.1', '::1'].join(',');
  return { NO_PROXY: list, no_proxy: list };
}
