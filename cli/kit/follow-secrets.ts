import type { Clock, Logger } from '../../lib/core/ports.ts';

/** Requests arrive in bursts: one reading of the files serves a second of them. */
const keptForMs = 1_000;

/**
 * Secrets that are read again every second, so that they are rotated without a restart; at once for another configuration. If they
 * cannot be read, the last ones of the same configuration stay valid, and the log says why, with `message`. Throws if there are none:
 * by another configuration, a repository may have had no secret of its own.
 */
export function followSecrets<Config, Secrets>(
  read: (config: Config) => Secrets,
  { clock, logger, message }: { readonly clock: Clock; readonly logger: Logger; readonly message: string },
): (config: Config) => Secrets {
  let known: { readonly secrets: Secrets; readonly config: Config; readonly at: number } | undefined;
  let failure: string | undefined;
  return (config) => {
    const now = clock.now();
    if (known !== undefined && known.config === config && now - known.at < keptForMs) return known.secrets;
    let secrets: Secrets;
    try {
      secrets = read(config);
      failure = undefined;
    } catch (error) {
      if (known === undefined || known.config !== config) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== failure) logger.error(message, { reason });
      failure = reason;
      ({ secrets } = known);
    }
    known = { secrets, config, at: now };
    return secrets;
  };
}
