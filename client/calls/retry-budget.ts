import type { AttemptEnd } from '../transport/attempt.ts';

/**
 * Limits the repetitions of all calls of a client, so that an outage does not multiply the load: each repetition
 * takes tokens, success returns them, and without tokens a call ends with its first failed attempt.
 */
export interface RetryBudget {
  /** Takes the tokens for one repetition after `end`; false if the budget is too low. */
  take(end: AttemptEnd): boolean;
  /** Returns tokens after a success; `retriedEnd` is the end that the successful attempt repeated, if any. */
  succeeded(retriedEnd: AttemptEnd | undefined): void;
  readonly tokens: number;
}

const capacity = 500;
const costOfAnswer = 5;
/** Higher, because an attempt without an answer occupies a connection and its caller until the time-out. */
const costOfNoAnswer = 10;

export function createRetryBudget(size = capacity): RetryBudget {
  let tokens = size;
  const costOf = (end: AttemptEnd): number => (end.kind === 'answered' ? costOfAnswer : costOfNoAnswer);
  return {
    take(end) {
      const cost = costOf(end);
      if (cost > tokens) return false;
      tokens -= cost;
      return true;
    },
    succeeded(retriedEnd) {
      tokens = Math.min(size, tokens + (retriedEnd === undefined ? 1 : costOf(retriedEnd)));
    },
    get tokens() {
      return tokens;
    },
  };
}
