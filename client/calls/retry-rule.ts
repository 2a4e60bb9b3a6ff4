import type { RetryClass } from '../../lib/contract/description/operation.ts';
import type { AttemptEnd } from '../transport/attempt.ts';

/**
 * Whether a request may be sent again after this end of an attempt. The contract's retry class decides, never the
 * HTTP method: a 409 is final, and a 5xx proves nothing.
 */
export function mayRepeat(retry: RetryClass, end: AttemptEnd): boolean {
  switch (end.kind) {
    case 'never-sent':
      return !end.permanent;
    case 'lost':
      return retry !== 'once';
    case 'too-large':
    case 'undecodable':
    case 'cancelled':
      return false;
    case 'answered':
      // Refused before it was processed.
      if (end.answer.status === 429) return true;
      return retry !== 'once' && isServerFault(end.answer.status);
  }
}

/** Whether the attempt may have taken effect although it got no successful answer. */
export function mayHaveTakenEffect(end: AttemptEnd | undefined): boolean {
  switch (end?.kind) {
    case undefined:
    case 'never-sent':
      return false;
    case 'cancelled':
      return end.sent;
    case 'lost':
      return true;
    case 'too-large':
    case 'undecodable':
      return end.status < 300 || end.status >= 500;
    case 'answered':
      // See Other: processed, and the result is at another address.
      return isServerFault(end.answer.status) || end.answer.status === 303;
  }
}

/**
 * Whether the caller must learn if a call without an answer took effect: otherwise another call could create or start
 * something twice. `mayRepeat` may repeat a `keyed` call, but after the last failure its outcome is unknown, too.
 */
export function outcomeMatters(retry: RetryClass): boolean {
  return retry === 'once' || retry === 'keyed';
}

function isServerFault(status: number): boolean {
  return status === 408 || status >= 500;
}
