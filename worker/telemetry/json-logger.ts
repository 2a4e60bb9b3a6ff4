import { pino } from 'pino';
import type { Logger } from '../../lib/core/ports/ports.ts';

/**
 * Writes one JSON line for each event, for log collectors: time, level, message and its fields (`delivery_id`,
 * `promotion_id`, `lane`, `execution_id`). Every line passes through `redact`, so that no field leaks a secret.
 */
export function createJsonLogger(
  write: (line: string) => void,
  { redact, verbose }: { readonly redact: (text: string) => string; readonly verbose: boolean },
): Logger {
  const lines = pino(
    {
      level: verbose ? 'debug' : 'info',
      base: { service: 'millrace-worker' },
      timestamp: isoTime(),
    },
    { write: (line: string) => write(redact(line)) },
  );
  return {
    debug: (message, fields = {}) => lines.debug(fields, message),
    info: (message, fields = {}) => lines.info(fields, message),
    warn: (message, fields = {}) => lines.warn(fields, message),
    error: (message, fields = {}) => lines.error(fields, message),
  };
}

/** As pino's own, but formatted once for all lines of a millisecond: under load these are many. */
function isoTime(): () => string {
  let at = Number.NaN;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) {
      at = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}
