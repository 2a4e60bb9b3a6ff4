import type { Logger } from '../../../lib/core/ports/ports.ts';
import type { WorkerMetrics } from '../../telemetry/worker-metrics.ts';

/** Watches whether a newer worker has raised the format of the records. Then this worker stops changing them. */
export interface FormatWatch {
  /** The newest format that this worker knows. */
  readonly known: number;
  /** The format of the records, while it is a newer one. */
  readonly newer: number | undefined;
  /** The records have a newer format. */
  onNewer(format: number): void;
  /** The records have a format that this worker knows. */
  onKnown(): void;
}

export function createFormatWatch(knownFormat: number, logger: Logger, metrics: WorkerMetrics): FormatWatch {
  let newer: number | undefined;
  return {
    known: knownFormat,
    get newer() {
      return newer;
    },
    onNewer(format) {
      if (newer === format) return;
      newer = format;
      metrics.recordsNewer.set(1);
      logger.warn(
        'A newer worker has raised the format of the records. This worker changes no record any more, and still stores webhooks for the newer one.',
        { format, known_format: knownFormat },
      );
    },
    onKnown() {
      if (newer === undefined) return;
      newer = undefined;
      metrics.recordsNewer.set(0);
      logger.info('This worker knows the format of the records again, and continues.', {
        format: knownFormat,
      });
    },
  };
}
