import type { Clock, Logger } from '../../lib/core/ports/ports.ts';

/**
 * Logs failures of work that is repeated: one line when it begins to fail and one when it works again, not a line
 * for each failure.
 */
export interface FailureLog {
  /** The work failed. `work` identifies it; logged if it worked before, or fails with another error. */
  failed(work: string, message: string, fields: FailureFields): void;
  /** The work succeeded; logged if it failed before, but not within the last five seconds: it may fail every other time. */
  worked(work: string): void;
  /** Number of works that fail now. */
  readonly size: number;
}

interface FailureFields extends Record<string, unknown> {
  readonly error: string;
}

interface Failing {
  readonly message: string;
  readonly fields: FailureFields;
  readonly since: number;
  readonly errors: Set<string>;
  failures: number;
  last: number;
  hasWorked: boolean;
}

const quietMs = 5_000;

/** Different errors of one work that are logged until it works again: some contain an id that changes each time. */
const maxErrors = 5;
const maxWorks = 10_000;

export function createFailureLog(logger: Logger, clock: Clock): FailureLog {
  const failing = new Map<string, Failing>();

  function begin(work: string, message: string, fields: FailureFields): Failing {
    const entry = {
      message,
      fields,
      since: clock.now(),
      errors: new Set<string>(),
      failures: 0,
      last: 0,
      hasWorked: false,
    };
    if (failing.size >= maxWorks) failing.delete(failing.keys().next().value ?? '');
    failing.set(work, entry);
    return entry;
  }

  return {
    failed(work, message, fields) {
      const before = failing.get(work);
      const isOver = before?.hasWorked === true && clock.now() - before.last >= quietMs;
      const entry = before === undefined || isOver ? begin(work, message, fields) : before;
      entry.failures += 1;
      entry.last = clock.now();
      entry.hasWorked = false;
      if (entry.errors.has(fields.error) || entry.errors.size >= maxErrors) return;
      entry.errors.add(fields.error);
      logger.warn(message, fields);
    },
    worked(work) {
      const entry = failing.get(work);
      if (entry === undefined) return;
      entry.hasWorked = true;
      if (clock.now() - entry.last < quietMs) return;
      failing.delete(work);
      const { message, fields, failures, since } = entry;
      const seconds = Math.round((clock.now() - since) / 1_000);
      logger.info('What had failed works again.', { what: message, ...fields, failures, seconds });
    },
    get size() {
      return failing.size;
    },
  };
}
