import type { AttemptEnd } from './attempt.ts';

/**
 * What all calls of a client may spend on sending again, so that an outage multiplies no load: each repetition
 * takes tokens, success gives them back, and without tokens a call ends with its first bad answer.
 */
export interface RetryBudget {
  /** Pays for one repetition after such an end; false where the budget does not hold enough. */
  take(end: AttemptEnd): boolean;
  /** A call succeeded; `paid` by an end whose repetition it was, where it was one. */
  succeeded(paid: AttemptEnd | undefined): void;
  readonly tokens: number;
}

const capacity = 500;
const costOfAnswer = 5;
/** An attempt that got no answer held a connection and a caller until its time-out. */
const costOfSilence = 10;

export function createRetryBudget(size = capacity): RetryBudget {
  let tokens = size;
  const costOf = (end: AttemptEnd): number => (end.kind === 'answered' ? costOfAnswer : costOfSilence);
  return {
    take(end) {
      const cost = costOf(end);
      if (cost > tokens) return false;
      tokens -= cost;
      return true;
    },
    succeeded(paid) {
      tokens = Math.min(size, tokens + (paid === undefined ? 1 : costOf(paid)));
    },
    get tokens() {
      return tokens;
    },
  };
}
