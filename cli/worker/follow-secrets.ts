import { messageOf } from '../../lib/core/errors/message-of.ts';
import type { Clock, Logger } from '../../lib/core/ports/ports.ts';

/** Requests arrive in bursts: one reading of the files serves a second of them. */
const keptForMs = 1_000;

interface FollowOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly message: string;
}

/**
 * Reads secrets again every second, so that they can be rotated without a restart, and at once if the configuration
 * changes. If they cannot be read, the last secrets of the same configuration stay valid, and `message` is logged
 * with the reason. Throws if this configuration has no earlier secrets.
 */
export function followSecrets<Config, Secrets>(
  read: (config: Config) => Secrets,
  options: FollowOptions,
): (config: Config) => Secrets {
  const all = followEach((config: Config) => new Map([['', () => [read(config)] as const]]), options);
  return (config) => {
    for (const [secrets] of all(config).values()) return secrets;
    throw new Error('nothing was read');
  };
}

/**
 * Like `followSecrets`, for several secrets with a key each: if one secret cannot be read, the others are still
 * rotated.
 */
export function followEach<Config, Key, Secrets extends readonly unknown[]>(
  readersOf: (config: Config) => ReadonlyMap<Key, () => Secrets>,
  { clock, logger, message }: FollowOptions,
): (config: Config) => ReadonlyMap<Key, Secrets> {
  let lastRead:
    { readonly secrets: ReadonlyMap<Key, Secrets>; readonly config: Config; readonly at: number } | undefined;
  const failures = new Map<Key, string>();

  function readOr(key: Key, read: () => Secrets, last: ReadonlyMap<Key, Secrets> | undefined): Secrets {
    try {
      const secrets = read();
      failures.delete(key);
      return secrets;
    } catch (error) {
      const before = last?.get(key);
      if (before === undefined) throw error;
      const reason = messageOf(error);
      if (reason !== failures.get(key)) logger.error(message, { reason });
      failures.set(key, reason);
      return before;
    }
  }

  return (config) => {
    const now = clock.now();
    const last = lastRead?.config === config ? lastRead : undefined;
    if (last !== undefined && now - last.at < keptForMs) return last.secrets;
    const secrets = new Map<Key, Secrets>();
    for (const [key, read] of readersOf(config)) secrets.set(key, readOr(key, read, last?.secrets));
    lastRead = { secrets, config, at: now };
    return secrets;
  };
}
