import { Failure } from '../core/failure.ts';

/** A Redis that Sentinels name, by its URL. */
export interface SentinelUrl {
  readonly tls: boolean;
  readonly sentinels: readonly { readonly host: string; readonly port: number }[];
  /** What the Sentinels call it. */
  readonly name: string;
  readonly db: number;
  /** Of Redis. */
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** Of the Sentinels. */
  readonly sentinelUsername: string | undefined;
  readonly sentinelPassword: string | undefined;
}

const form =
  /^redis(?<tls>s?)\+sentinel:\/\/(?:(?<user>[^/@]*)@)?(?<hosts>[^/?@]+)\/(?<name>[\w.-]+)(?:\/(?<db>\d+))?(?:\?(?<query>.*))?$/;

export const isSentinelUrl = (url: string): boolean => /^rediss?\+sentinel:/.test(url);

/**
 * Reads `redis+sentinel://:password@host:26379,host:26379/name/0?sentinel-password=…`.
 *
 * @throws Failure `usage`
 */
export function readSentinelUrl(url: string): SentinelUrl {
  const parts = form.exec(url)?.groups;
  const sentinels = (parts?.['hosts'] ?? '').split(',').map(readHost);
  const known = sentinels.filter((one) => one !== undefined);
  if (parts === undefined || known.length !== sentinels.length) throw invalid();
  const [username = '', password = ''] = (parts['user'] ?? '').split(/:(.*)/s).map(decoded);
  const query = new URLSearchParams(parts['query'] ?? '');
  return {
    tls: parts['tls'] === 's',
    sentinels: known,
    name: parts['name'] ?? '',
    db: Number(parts['db'] ?? 0),
    username: username || undefined,
    password: password || undefined,
    sentinelUsername: query.get('sentinel-username') ?? undefined,
    sentinelPassword: query.get('sentinel-password') ?? undefined,
  };
}

function readHost(text: string): { readonly host: string; readonly port: number } | undefined {
  const [, six, four, port = '26379'] = /^(?:\[([\da-f:]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = six ?? four;
  return host === undefined ? undefined : { host, port: Number(port) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid();
  }
}

function invalid(): Failure {
  return new Failure('usage', {
    message: 'MILLRACE_REDIS_URL is not a valid address of Sentinels.',
    where: { input: 'MILLRACE_REDIS_URL' },
    hint: 'Write redis+sentinel://:<password>@<host>:26379,<host>:26379,<host>:26379/<name of the master>.',
  });
}
