import type { RetryClass } from '../contract/operation.ts';
import type { Clock, Logger, Random } from '../model/ports.ts';
import type { AttemptEnd } from './attempt.ts';
import type { Authentication } from './authentication.ts';
import { Cancelled, type CallFacts } from './errors.ts';
import type { Connections } from './connections.ts';
import { backoffMs, retryAfterMs } from './retry-delay.ts';
import { mayHaveLanded, mayRepeat } from './retry-rule.ts';
import { sendAttempt } from './send-attempt.ts';
import type { WireRequest } from './wire.ts';

export interface CallParts {
  readonly connections: Connections;
  readonly authentication: Authentication | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly maxAttempts: number;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** How the attempts at a request ended together. */
export interface CallEnd {
  readonly end: AttemptEnd;
  readonly attempts: number;
  /** Some attempt may have had its effect although no good answer to it came. */
  readonly landed: boolean;
  /** Of some attempt before the last. */
  readonly landedBefore: boolean;
}

/**
 * Sends a request until it is answered for good, as its retry class, the number of attempts and the deadline
 * permit. A 401 is followed by one attempt with a new token, where one can be had.
 *
 * @throws {Cancelled} and what authentication and upload throw.
 */
export async function performCall(
  operation: { readonly id: string; readonly retry: RetryClass },
  request: WireRequest,
  parts: CallParts,
  facts: CallFacts,
): Promise<CallEnd> {
  const { authentication, clock, logger, random, signal } = parts;
  const dispatcher = parts.connections.dispatcherFor(request.origin, request.fresh);
  const startedAt = clock.now();
  let landedBefore = false;
  let renewed = false;
  let sending = false;
  let attempt = 0;
  let last: CallEnd | undefined;
  try {
    for (;;) {
      const token = await authentication?.token(signal);
      const left = parts.deadlineMs - (clock.now() - startedAt);
      attempt += 1;
      sending = true;
      const end: AttemptEnd = await sendAttempt(
        request,
        token === undefined ? undefined : `Bearer ${token}`,
        dispatcher,
        {
          timeoutMs: Math.max(1, Math.min(parts.timeoutMs, left)),
          maxAnswerBytes: parts.maxAnswerBytes,
          signal,
        },
      );
      sending = false;
      logger.debug('attempt', {
        operation: operation.id,
        attempt,
        ...inWords(end),
        requestId: facts.requestId,
      });
      const landed: boolean = landedBefore || mayHaveLanded(end);
      const done: CallEnd = { end, attempts: attempt, landed, landedBefore };
      last = done;

      if (end.kind === 'answered' && end.answer.status === 401 && token !== undefined && !renewed) {
        renewed = true;
        if (await authentication?.renew(token)) continue;
        return done;
      }
      if (!mayRepeat(operation.retry, end) || attempt >= parts.maxAttempts) return done;
      const wait = waitBefore(end, attempt, clock, random);
      if (clock.now() - startedAt + wait >= parts.deadlineMs) return done;
      await clock.sleep(wait, signal);
      landedBefore = landed;
    }
  } catch (error) {
    if (signal?.aborted !== true) {
      if (!landedBefore || last === undefined) throw error;
      // An earlier attempt may have had its effect: that is what the caller must hear, not why the next was not made.
      logger.warn('the call was not sent again', { operation: operation.id, problem: String(error) });
      return last;
    }
    const unknown = (sending || landedBefore) && (operation.retry === 'once' || operation.retry === 'keyed');
    throw new Cancelled(
      `${operation.id} was cancelled${unknown ? ' on its way; whether it took place is unknown' : ''}.`,
      { ...facts, attempts: attempt, cause: signal.reason },
      unknown,
    );
  }
}

/** The platform's wish, where it is longer than our own backoff. */
function waitBefore(end: AttemptEnd, attempt: number, clock: Clock, random: Random): number {
  const own = backoffMs(attempt, random);
  const asked = end.kind === 'answered' ? retryAfterMs(end.answer.headers, clock.now()) : undefined;
  return Math.max(own, asked ?? 0);
}

function inWords(end: AttemptEnd): Record<string, unknown> {
  switch (end.kind) {
    case 'answered':
      return { status: end.answer.status };
    case 'too-large':
      return { status: end.status, problem: 'the answer is too large' };
    case 'never-sent':
    case 'lost':
      return { problem: end.problem };
  }
}
