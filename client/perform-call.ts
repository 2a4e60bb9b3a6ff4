import type { Clock, Random } from '../lib/core/ports.ts';
import { abortable } from './abortable.ts';
import type { AttemptEnd } from './attempt.ts';
import { callTrace } from './call-trace.ts';
import type { CallParts, Sendable } from './call-parts.ts';
import { Cancelled, type CallFacts, NoAnswer, OutcomeUnknown } from './errors.ts';
import { makeAttempt } from './make-attempt.ts';
import { backoffMs, retryAfterMs } from './retry-delay.ts';
import { mayHaveLanded, mayRepeat, mustNotRepeat } from './retry-rule.ts';
import type { WireRequest } from './wire.ts';

/** How the attempts at a request ended together. */
export interface CallEnd {
  readonly end: AttemptEnd;
  readonly attempts: number;
  /** Some attempt may have had its effect although no good answer to it came. */
  readonly landed: boolean;
  /** Of some attempt before the last. */
  readonly landedBefore: boolean;
  /** It would have been sent again, had the client's retry budget not been spent. */
  readonly budgetSpent: boolean;
  /** Host and port that it was sent to, and the proxy's where there is one; never a credential. */
  readonly address: string;
}

/**
 * Sends a request until it is answered for good, as its retry class, the number of attempts, the deadline and the
 * client's retry budget permit. A 401 is followed by one attempt with a new token, where one can be had.
 *
 * @throws {Cancelled} {@link OutcomeUnknown} where a middleware failed, and what authentication, middlewares and
 * upload throw.
 */
export async function performCall(
  operation: Sendable,
  request: WireRequest,
  parts: CallParts,
  facts: CallFacts,
): Promise<CallEnd> {
  const { authentication, budget, clock, logger, random, signal } = parts;
  const startedAt = clock.now();
  const address = parts.connections.addressOf(request.origin);
  const leftMs = (): number => parts.deadlineMs - (clock.now() - startedAt);
  let landedBefore = false;
  let renewed = false;
  let attempt = 0;
  let last: CallEnd | undefined;
  let paid: AttemptEnd | undefined;

  const cancelled = (sent: boolean): Cancelled => {
    const isUnknown = (sent || landedBefore) && mustNotRepeat(operation.retry);
    const addition = isUnknown ? ` on its way; whether it took place is unknown${callTrace(facts)}` : '';
    return new Cancelled(
      `${operation.id} was cancelled${addition}.`,
      { ...facts, attempts: attempt, cause: signal?.reason },
      isUnknown,
    );
  };

  const tokenWithin = async (ms: number): Promise<string | undefined> => {
    if (authentication === undefined) return undefined;
    const error = (): NoAnswer =>
      new NoAnswer(`authentication: no token came within ${Math.round(ms)} ms.`, {
        operation: 'authentication',
      });
    return abortable(authentication.token(signal), signal, { ms, error });
  };

  try {
    for (;;) {
      const token = await tokenWithin(leftMs());
      attempt += 1;
      const { end, onWire } = await makeAttempt(operation, request, token, attempt, leftMs, parts, facts);
      logger.debug('attempt', {
        operation: operation.id,
        attempt,
        ...inWords(end),
        requestId: facts.requestId,
      });
      if (end.kind === 'cancelled') throw cancelled(end.sent);
      const landed: boolean = landedBefore || mayHaveLanded(end) || (onWire !== end && mayHaveLanded(onWire));
      const done: CallEnd = { end, attempts: attempt, landed, landedBefore, budgetSpent: false, address };
      last = done;

      if (end.kind === 'answered' && end.answer.status === 401 && token !== undefined && !renewed) {
        renewed = true;
        if (await authentication?.renew(token)) continue;
        return done;
      }
      if (end.kind === 'answered' && end.answer.status < 400) budget.succeeded(paid);
      // Whatever a middleware made of it, what was sent decides too.
      if (!mayRepeat(operation.retry, end) || (onWire !== undefined && !mayRepeat(operation.retry, onWire)))
        return done;
      if (attempt >= parts.maxAttempts) return done;
      const wait = waitBefore(end, attempt, clock, random);
      if (wait >= leftMs()) return done;
      if (!budget.take(end)) {
        logger.warn('not sent again: the retry budget is spent', { operation: operation.id });
        return { ...done, budgetSpent: true };
      }
      paid = end;
      await clock.sleep(wait, signal);
      landedBefore = landed;
    }
  } catch (error) {
    if (error instanceof Cancelled || error instanceof OutcomeUnknown) throw error;
    if (signal?.aborted === true) throw cancelled(false);
    if (!landedBefore || last === undefined) throw error;
    // An earlier attempt may have had its effect: that is what the caller must hear, not why the next was not made.
    logger.warn('the call was not sent again', { operation: operation.id, problem: String(error) });
    return last;
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
    case 'undecodable':
      return { status: end.status, problem: end.problem };
    case 'never-sent':
    case 'lost':
      return { problem: end.problem };
    case 'cancelled':
      return { problem: 'the caller cancelled it' };
  }
}
