import type { Clock, Logger } from '../../lib/core/ports/ports.ts';
import { shorten } from '../../lib/core/text/shorten.ts';

/** Lines of one message that are written at once, and the interval of further ones in milliseconds. */
const burst = 10;
const intervalMs = 10_000;

/** Characters of a text in a field: twelve kilobytes fit into the headers of a request. */
const maxLength = 200;

interface Allowance {
  lines: number;
  /** Up to when `lines` was counted. */
  at: number;
  skipped: number;
}

/**
 * A logger for events that anyone can cause without a token, as often as they like. Each message is written a few
 * times, then every ten seconds with the number of lines that were left out (`skipped`). Long texts are cut.
 */
export function createLimitedLogger(logger: Logger, clock: Clock): Logger {
  // Messages are constants, so that there are only a few.
  const allowances = new Map<string, Allowance>();

  /** The number of lines skipped before this one; undefined if it is skipped too. */
  function take(message: string): number | undefined {
    const now = clock.now();
    const allowance = allowances.get(message) ?? { lines: burst, at: now, skipped: 0 };
    allowances.set(message, allowance);
    const earned = Math.max(0, Math.floor((now - allowance.at) / intervalMs));
    allowance.lines = Math.min(burst, allowance.lines + earned);
    allowance.at += earned * intervalMs;
    const { skipped } = allowance;
    if (allowance.lines === 0) {
      allowance.skipped += 1;
      return undefined;
    }
    allowance.lines -= 1;
    allowance.skipped = 0;
    return skipped;
  }

  const limit =
    (level: keyof Logger): Logger['info'] =>
    (message, fields = {}) => {
      const skipped = take(message);
      if (skipped === undefined) return;
      logger[level](message, { ...cut(fields), ...(skipped === 0 ? {} : { skipped }) });
    };
  return { debug: limit('debug'), info: limit('info'), warn: limit('warn'), error: limit('error') };
}

function cut(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? shorten(value, maxLength) : value,
    ]),
  );
}
