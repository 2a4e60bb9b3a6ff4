/** A log that also says what the step is waiting for, while nothing else is logged. */
export interface WaitingLog {
  /** What the step does now: a line of the log. */
  step(text: string): void;
  /** Any other line. */
  log(text: string): void;
  stop(): void;
}

const defaultIntervalMs = 60_000;

/**
 * Writes lines at once. After each minute without a line, writes what the step is waiting for, and for how long, so
 * that a slow platform or a long upload looks different from a hanging job. It does not keep the process alive.
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
