import { Failure } from '../../core/errors/failure.ts';
import { type HostAndPort, readHosts, readUserInfo } from './read-hosts.ts';

/** The address of a Redis Cluster: a URL with some of its nodes. */
export interface ClusterUrl {
  readonly tls: boolean;
  /** The nodes that are asked for all others. */
  readonly nodes: readonly HostAndPort[];
  readonly username: string | undefined;
  readonly password: string | undefined;
}

const form = /^redis(?<tls>s?)\+cluster:\/\/(?:(?<user>[^/@]*)@)?(?<hosts>[^/?#@]+)(?:\/0?)?$/;

export const isClusterUrl = (url: string): boolean => /^rediss?\+cluster:/.test(url);

/**
 * Reads `redis+cluster://user:password@host:6379,host:6379/`.
 *
 * @throws Failure `usage`
 */
export function readClusterUrl(url: string): ClusterUrl {
  const parts = form.exec(url)?.groups;
  const nodes = readHosts(parts?.['hosts'] ?? '', 6_379);
  const user = readUserInfo(parts?.['user'] ?? '');
  if (parts === undefined || nodes === undefined || user === undefined) throw invalid();
  return { tls: parts['tls'] === 's', nodes, ...user };
}

function invalid(): Failure {
  return new Failure('usage', {
    message: 'MILLRACE_REDIS_URL is not a valid address of a Redis Cluster.',
    where: { input: 'MILLRACE_REDIS_URL' },
    hint: 'Write redis+cluster://:<password>@<host>:6379,<host>:6379/ without the number of a database: a cluster has only one. In the password, write each of @ : / ? # % as a percent sign and two digits, such as %40 for @.',
  });
}
