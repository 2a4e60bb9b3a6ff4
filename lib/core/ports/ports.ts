/** Time as a parameter, so that tests control it. `now` returns milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Returns a random number, uniform in [0, 1), like `Math.random`. */
export type Random = () => number;

/** Writes structured log lines: a message and its fields. Never pass a secret. */
export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** Progress of a use case for a person: one sentence, replaced by the next. */
export interface Progress {
  step(sentence: string): void;
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

export const silentProgress: Progress = { step() {} };
