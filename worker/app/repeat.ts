import type { Clock, Logger } from '../../lib/core/ports.ts';

/** Runs `work` at once and then at an interval until the signal aborts. Logs an error and continues. */
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
