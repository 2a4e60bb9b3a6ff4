/** Time as a parameter, so that tests own it. `now` is milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Uniform in [0, 1), as `Math.random`. */
export type Random = () => number;

/** Structured log lines: a message and the fields that belong to it. Never given a secret. */
export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** What a person watches while a use case runs: one current sentence, replaced by the next. */
export interface Progress {
  step(sentence: string): void;
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

export const silentProgress: Progress = { step() {} };
