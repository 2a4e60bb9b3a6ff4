import { pino } from 'pino';
import type { Logger } from '../../lib/core/ports.ts';

/**
 * One JSON line for each event, for those who collect logs: time, level, message and its fields (`delivery`,
 * `run_id`, `lane`, `execution_id`). Every line goes through `redact`, so that no secret gets out by a field.
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

/** As pino's own, but written once for all lines of a millisecond: under load that is many. */
function isoTime(): () => string {
  let at = Number.NaN;
  let words = '';
  return () => {
    const now = Date.now();
    if (now !== at) {
      at = now;
      words = `,"time":"${new Date(now).toISOString()}"`;
    }
    return words;
  };
}
