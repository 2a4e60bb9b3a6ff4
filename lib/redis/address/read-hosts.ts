export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** Reads `host:port,[::1]:port,host`; undefined if one of them is not an address. `port` is for hosts without a port. */
export function readHosts(text: string, port: number): readonly HostAndPort[] | undefined {
  const hosts = text.split(',').map((part) => readHost(part, port));
  const valid = hosts.filter((host) => host !== undefined);
  return valid.length === hosts.length ? valid : undefined;
}

function readHost(text: string, usualPort: number): HostAndPort | undefined {
  const [, six, four, port] = /^(?:\[([\da-f:]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = six ?? four;
  const number = port === undefined ? usualPort : Number(port);
  return host === undefined || number < 1 || number > 65_535 ? undefined : { host, port: number };
}

/** `user:password` of an address, decoded; undefined if a percent sign in it does not begin an encoded byte. */
export function readUserInfo(
  text: string,
): { readonly username: string | undefined; readonly password: string | undefined } | undefined {
  try {
    const [username = '', password = ''] = text.split(/:(.*)/s).map(decodeURIComponent);
    return { username: username || undefined, password: password || undefined };
  } catch {
    return undefined;
  }
}
