import type { Clock, Logger } from '../../lib/core/ports.ts';

/** Does something at once and again and again until the signal comes; what goes wrong is said, and tried again. */
export async function keepDoing(
  {
    what,
    everyMs,
    work,
  }: { readonly what: string; readonly everyMs: number; readonly work: () => Promise<void> },
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await work().catch((error: unknown) => {
      logger.warn(what, { error: error instanceof Error ? error.message : String(error) });
    });
    await clock.sleep(everyMs, signal).catch(() => undefined);
  }
}
