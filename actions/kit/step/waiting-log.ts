/** A log that says what the step still waits for, while nothing else is logged. */
export interface WaitingLog {
  /** What the step does now: a line of the log. */
  step(text: string): void;
  /** Any other line. */
  log(text: string): void;
  stop(): void;
}

const defaultIntervalMs = 60_000;

/**
 * Writes lines at once, and after each minute without a line: for what the step waits, and how long. So a platform that
 * does not answer, or a long upload, looks different from a hanging job. It keeps no process alive.
 */
export function createWaitingLog(write: (text: string) => void, intervalMs = defaultIntervalMs): WaitingLog {
  let current: string | undefined;
  let minutes = 0;
  const timer = setInterval(() => {
    if (current === undefined) return;
    minutes += 1;
    write(
      `Still waiting, without news for ${String(Math.round((minutes * intervalMs) / 1000))} s: ${current}`,
    );
  }, intervalMs);
  timer.unref();
  const log = (text: string): void => {
    minutes = 0;
    timer.refresh();
    write(text);
  };
  return {
    log,
    step(text) {
      current = text;
      log(text);
    },
    stop: () => clearInterval(timer),
  };
}
