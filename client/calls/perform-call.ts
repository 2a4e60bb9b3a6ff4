import type { Clock, Random } from '../../lib/core/ports/ports.ts';
import { abortable } from '../transport/abortable.ts';
import type { AttemptEnd } from '../transport/attempt.ts';
import { callTrace } from '../errors/call-trace.ts';
import type { CallParts, Sendable } from './call-parts.ts';
import { Cancelled, type CallFacts, NoAnswer, OutcomeUnknown } from '../errors/errors.ts';
import { makeAttempt } from './make-attempt.ts';
import { backoffMs, retryAfterMs } from './retry-delay.ts';
import { mayHaveTakenEffect, mayRepeat, outcomeMatters } from './retry-rule.ts';
import type { WireRequest } from '../transport/wire.ts';

/** The end of a call after all its attempts. */
export interface CallEnd {
  readonly end: AttemptEnd;
  readonly attempts: number;
  /** Whether an attempt may have taken effect although it got no successful answer. */
  readonly mayHaveEffect: boolean;
  /** Like `mayHaveEffect`, but only for the attempts before the last one. */
  readonly mayHaveEffectBefore: boolean;
  /** Whether the request was not retried because the client's retry budget was spent. */
  readonly budgetSpent: boolean;
  /** Host and port of the target, and of the proxy if there is one; never a credential. */
  readonly address: () => string;
}

/**
 * Sends a request until it has a final answer, within its retry class, the number of attempts, the deadline and the
 * client's retry budget. After a 401 it makes one attempt with a new token, if one is available.
 *
 * @throws {Cancelled} {@link OutcomeUnknown} if a middleware failed, and what authentication, middlewares and
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
  const address = (): string => parts.connections.addressOf(request.origin);
  const leftMs = (): number => parts.deadlineMs - (clock.now() - startedAt);
  let mayHaveEffectBefore = false;
  let renewed = false;
  let attempt = 0;
  let last: CallEnd | undefined;
  let retriedEnd: AttemptEnd | undefined;

  const cancelled = (sent: boolean): Cancelled =>
    cancelledCall(operation, sent || mayHaveEffectBefore, { ...facts, attempts: attempt }, signal);

  try {
    for (;;) {
      const tokenOrPromise = tokenWithin(leftMs(), parts);
      // Most calls already have a token and need not wait for one.
      const token = tokenOrPromise instanceof Promise ? await tokenOrPromise : tokenOrPromise;
      attempt += 1;
      const { end, onWire } = await makeAttempt(operation, request, token, attempt, leftMs, parts, facts);
      logger.debug('Attempt ended.', {
        operation: operation.id,
        attempt,
        ...endFields(end),
        requestId: facts.requestId,
      });
      if (end.kind === 'cancelled') throw cancelled(end.sent);
      const mayHaveEffect: boolean = mayHaveEffectBefore || mayHaveHadEffect(end, onWire);
      const done: CallEnd = {
        end,
        attempts: attempt,
        mayHaveEffect,
        mayHaveEffectBefore,
        budgetSpent: false,
        address,
      };
      last = done;

      if (end.kind === 'answered' && end.answer.status === 401 && token !== undefined && !renewed) {
        renewed = true;
        if (await authentication?.renew(token)) continue;
        return done;
      }
      if (end.kind === 'answered' && end.answer.status < 400) budget.succeeded(retriedEnd);
      if (!isRepeatable(operation, end, onWire)) return done;
      if (attempt >= parts.maxAttempts) return done;
      const wait = waitBefore(end, attempt, clock, random);
      if (wait >= leftMs()) return done;
      if (!budget.take(end)) {
        logger.warn(
          'The request was not retried, because too many recent requests failed: the retry budget is used up.',
          {
            operation: operation.id,
          },
        );
        return { ...done, budgetSpent: true };
      }
      retriedEnd = end;
      await clock.sleep(wait, signal);
      mayHaveEffectBefore = mayHaveEffect;
    }
  } catch (error) {
    if (error instanceof Cancelled || error instanceof OutcomeUnknown) throw error;
    if (signal?.aborted === true) throw cancelled(false);
    if (!mayHaveEffectBefore || last === undefined) throw error;
    // An earlier attempt may have taken effect. Report its end, not the reason why the next attempt was not made.
    logger.warn('The request was not retried. Millrace reports how the last attempt ended.', {
      operation: operation.id,
      problem: String(error),
    });
    return last;
  }
}

/** The error of a call that the caller cancelled. `sent`: some attempt may have taken effect. */
function cancelledCall(
  { id, retry }: Sendable,
  sent: boolean,
  facts: CallFacts & { readonly attempts: number },
  signal: AbortSignal | undefined,
): Cancelled {
  const isUnknown = sent && outcomeMatters(retry);
  const addition = isUnknown
    ? ` after it was sent; whether it took effect is unknown${callTrace(facts)}`
    : '';
  return new Cancelled(`${id} was cancelled${addition}.`, { ...facts, cause: signal?.reason }, isUnknown);
}

/** @throws {NoAnswer} when no token was received within `ms` milliseconds; what the authentication throws. */
function tokenWithin(
  ms: number,
  { authentication, signal }: CallParts,
): string | Promise<string> | undefined {
  const token = authentication?.token(signal);
  if (!(token instanceof Promise)) return token;
  const error = (): NoAnswer =>
    new NoAnswer(`authentication: the token URL gave no token within ${Math.round(ms)} ms.`, {
      operation: 'authentication',
    });
  return abortable(token, signal, { ms, error });
}

/** Whether an attempt may have taken effect, by its end. If a middleware changed the end, by the end on the wire. */
function mayHaveHadEffect(end: AttemptEnd, onWire: AttemptEnd | undefined): boolean {
  return mayHaveTakenEffect(end) || (onWire !== end && mayHaveTakenEffect(onWire));
}

/** Whether the attempt may be repeated. If a middleware changed the end, the end on the wire must permit it too. */
function isRepeatable({ retry }: Sendable, end: AttemptEnd, onWire: AttemptEnd | undefined): boolean {
  return mayRepeat(retry, end) && (onWire === undefined || mayRepeat(retry, onWire));
}

/** The longer of our own backoff and the wait that the platform asks for, in milliseconds. */
function waitBefore(end: AttemptEnd, attempt: number, clock: Clock, random: Random): number {
  const backoff = backoffMs(attempt, random);
  const requestedMs = end.kind === 'answered' ? retryAfterMs(end.answer.headers, clock.now()) : undefined;
  return Math.max(backoff, requestedMs ?? 0);
}

function endFields(end: AttemptEnd): Record<string, unknown> {
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
      return { problem: 'cancelled by the caller' };
  }
}
