import type { RetryClass } from '../lib/contract/operation.ts';
import type { AttemptEnd } from './attempt.ts';

/**
 * Whether a request may be sent again after an attempt that ended like this. Decided by what a repetition would
 * do (the contract's retry class), never by the method: 409 is an answer, and a 5xx proves nothing.
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
      // Refused before anything was done.
      if (end.answer.status === 429) return true;
      return retry !== 'once' && isServerFault(end.answer.status);
  }
}

/** Whether the attempt may have had its effect although no good answer came. */
export function mayHaveLanded(end: AttemptEnd | undefined): boolean {
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
      // See Other: done, and what came of it lies elsewhere.
      return isServerFault(end.answer.status) || end.answer.status === 303;
  }
}

/** Repeating creates or starts something again; a `keyed` one may be repeated, but its failure is no less open. */
export function mustNotRepeat(retry: RetryClass): boolean {
  return retry === 'once' || retry === 'keyed';
}

function isServerFault(status: number): boolean {
  return status === 408 || status >= 500;
}
