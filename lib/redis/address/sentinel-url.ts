import { Failure } from '../../core/errors/failure.ts';
import { type HostAndPort, readHosts, readUserInfo } from './read-hosts.ts';

/** The address of a Redis that Sentinels name, as a URL. */
export interface SentinelUrl {
  readonly tls: boolean;
  readonly sentinels: readonly HostAndPort[];
  /** The name that the Sentinels have for the master. */
  readonly name: string;
  readonly db: number;
  /** The user of Redis. */
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** The user of the Sentinels. */
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
  const sentinels = readHosts(parts?.['hosts'] ?? '', 26_379);
  const user = readUserInfo(parts?.['user'] ?? '');
  if (parts === undefined || sentinels === undefined || user === undefined) throw invalid();
  const query = new URLSearchParams(parts['query'] ?? '');
  return {
    tls: parts['tls'] === 's',
    sentinels,
    name: parts['name'] ?? '',
    db: Number(parts['db'] ?? 0),
    ...user,
    sentinelUsername: query.get('sentinel-username') ?? undefined,
    sentinelPassword: query.get('sentinel-password') ?? undefined,
  };
}

function invalid(): Failure {
  return new Failure('usage', {
    message: 'MILLRACE_REDIS_URL is not a valid address of Sentinels.',
    where: { input: 'MILLRACE_REDIS_URL' },
    hint: 'Write redis+sentinel://:<password>@<host>:26379,<host>:26379,<host>:26379/<name of the master>. In the password, write each of @ : / ? # % as a percent sign and two digits, such as %40 for @.',
  });
}
