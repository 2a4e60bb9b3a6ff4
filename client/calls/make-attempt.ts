import { maxTimerMs } from '../transport/abortable.ts';
import type { AttemptEnd } from '../transport/attempt.ts';
import { type CallFacts, OutcomeUnknown } from '../errors/errors.ts';
import type { SentBytes } from '../transport/open-body.ts';
import type { CallParts, Sendable } from './call-parts.ts';
import { mayHaveTakenEffect, outcomeMatters } from './retry-rule.ts';
import { sendAttempt } from '../transport/send-attempt.ts';
import { type LayeredEnd, MiddlewareFailed, runMiddlewares } from '../transport/run-middlewares.ts';
import type { WireRequest } from '../transport/wire.ts';

/**
 * Makes one attempt: through the middlewares, if there are any, and over the wire.
 *
 * @throws {OutcomeUnknown} if the operation must not be repeated and a middleware failed after the request had
 * been sent; what middlewares and the upload throw.
 */
export async function makeAttempt(
  operation: Sendable,
  request: WireRequest,
  token: string | undefined,
  attempt: number,
  leftMs: () => number,
  parts: CallParts,
  facts: CallFacts,
): Promise<LayeredEnd> {
  const { connections, middlewares, onProgress, signal, answerGraceMs } = parts;
  const dispatcherOrPromise = connections.dispatcherFor(request.origin, request.fresh);
  const dispatcher = dispatcherOrPromise instanceof Promise ? await dispatcherOrPromise : dispatcherOrPromise;
  const timerMs = (ms: number): number => Math.max(1, Math.min(ms, leftMs(), maxTimerMs));
  const send = (wireRequest: WireRequest): Promise<AttemptEnd> =>
    sendAttempt(wireRequest, token === undefined ? undefined : `Bearer ${token}`, dispatcher, {
      timeoutMs: timerMs(parts.timeoutMs),
      leftMs: timerMs(Infinity),
      maxAnswerBytes: parts.maxAnswerBytes,
      signal,
      answerGraceMs,
      onSent: onProgress === undefined ? undefined : sentBytes(wireRequest, onProgress),
    });
  if (middlewares.length === 0) {
    const end = await send(request);
    return { end, onWire: end };
  }
  const { requestId } = facts;
  const context = { operation: operation.id, retry: operation.retry, attempt, requestId, signal };
  try {
    return await runMiddlewares(middlewares, request, context, parts.redactor, send);
  } catch (error) {
    if (!(error instanceof MiddlewareFailed)) throw error;
    const { cause, onWire } = error;
    if (!mayHaveTakenEffect(onWire) && !hadEffect(onWire)) throw cause;
    if (!outcomeMatters(operation.retry)) throw cause;
    throw new OutcomeUnknown(
      `Whether ${operation.id} took effect is unknown: it was sent, then a middleware of the client failed: ${String(cause)}.`,
      {
        ...facts,
        attempts: attempt,
        cause,
      },
    );
  }
}

function hadEffect(end: AttemptEnd | undefined): boolean {
  return end?.kind === 'answered' && end.answer.status < 300;
}

function sentBytes(request: WireRequest, onProgress: (sent: number, total: number) => void): SentBytes {
  const total = Number(request.headers['content-length'] ?? 0);
  let sent = 0;
  return (bytes) => {
    sent += bytes;
    onProgress(sent, total);
  };
}
