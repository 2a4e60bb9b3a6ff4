import type { WorkerConfig } from '../../lib/config/read-worker-config.ts';
import type { Clock, Logger } from '../../lib/core/ports.ts';

/** Deliveries arrive in bursts: one reading of the files serves a second of them. */
const keptForMs = 1_000;

/**
 * The webhook secrets, read again every second, so that they are rotated without a restart. If they cannot be read, the last
 * ones stay valid, and the log says why.
 */
export function followWebhookSecrets<Secrets>(
  read: (config: WorkerConfig) => Secrets,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): (config: WorkerConfig) => Secrets {
  let known: { readonly secrets: Secrets; readonly config: WorkerConfig; readonly at: number } | undefined;
  let failure: string | undefined;
  return (config) => {
    const now = clock.now();
    if (known !== undefined && known.config === config && now - known.at < keptForMs) return known.secrets;
    let secrets: Secrets;
    try {
      secrets = read(config);
      failure = undefined;
    } catch (error) {
      if (known === undefined) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== failure)
        logger.error('The webhook secrets cannot be read. The previous ones stay valid.', { reason });
      failure = reason;
      ({ secrets } = known);
    }
    known = { secrets, config, at: now };
    return secrets;
  };
}
