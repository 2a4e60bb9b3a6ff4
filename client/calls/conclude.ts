import { callTrace } from '../errors/call-trace.ts';
import type { Callable } from '../request/callable.ts';
import type { CallEnd } from './perform-call.ts';
import {
  AnswerUnreadable,
  type CallFacts,
  Cancelled,
  type ClientError,
  NoAnswer,
  OutcomeUnknown,
  Unreachable,
} from '../errors/errors.ts';
import { type ErrorSubject, errorOfAnswer } from '../errors/error-of-answer.ts';
import { readAnswer } from './read-answer.ts';
import { retryAfterMs } from './retry-delay.ts';
import { outcomeMatters } from './retry-rule.ts';

/**
 * The result of a call: the answer's body, or the error of the condition. For an operation that must not be repeated,
 * every end that does not prove whether it took effect is `OutcomeUnknown`.
 *
 * @throws {ClientError}
 */
export function conclude(operation: Callable, call: CallEnd, initialFacts: CallFacts, now: number): unknown {
  const { end, attempts } = call;
  const facts: CallFacts = { ...initialFacts, attempts, budgetSpent: call.budgetSpent };
  if (end.kind === 'answered') {
    const { status } = end.answer;
    if (status >= 200 && status < 300) return read(operation, end.answer, facts);
    // An earlier attempt, whose answer was lost, may have deleted it.
    if (status === 404 && operation.method === 'DELETE' && call.mayHaveEffectBefore) return undefined;
  }
  const error = errorOf(operation, call, facts, now);
  if (!call.mayHaveEffect || !outcomeMatters(operation.retry)) throw error;
  throw unknown(operation, error, { ...facts, status: error.status, body: error.body });
}

function read(operation: Callable, answer: Parameters<typeof readAnswer>[1], facts: CallFacts): unknown {
  try {
    return readAnswer(operation, answer, facts);
  } catch (error) {
    // The status 2xx alone does not prove what was done, because a web page may have replaced the answer.
    if (!(error instanceof AnswerUnreadable) || !outcomeMatters(operation.retry)) throw error;
    throw unknown(operation, error, { ...facts, status: answer.status });
  }
}

/** The error for the end of the last attempt. */
export function errorOf(
  operation: ErrorSubject,
  { end, address }: Pick<CallEnd, 'end' | 'address'>,
  facts: CallFacts,
  now: number,
): ClientError {
  switch (end.kind) {
    case 'never-sent':
      return new Unreachable(
        `${operation.id}: ${operation.id === 'authentication' ? 'the token URL' : 'the platform'} at ${address()} could not be reached: ${end.problem}.`,
        facts,
      );
    case 'lost':
      return new NoAnswer(`${operation.id}: no answer was received: ${end.problem}.`, {
        ...facts,
        status: end.status,
      });
    case 'cancelled':
      // From a middleware: the caller's own signal ends a call before this point.
      return new Cancelled(`${operation.id} was cancelled.`, facts, end.sent);
    case 'undecodable':
      return new AnswerUnreadable(`${operation.id}: the answer cannot be read: ${end.problem}.`, {
        ...facts,
        status: end.status,
      });
    case 'too-large':
      return new AnswerUnreadable(
        `${operation.id}: the answer is longer than the maximum that the client accepts.`,
        {
          ...facts,
          status: end.status,
        },
      );
    case 'answered':
      return errorOfAnswer(operation, end.answer, facts, retryAfterMs(end.answer.headers, now));
  }
}

function unknown(operation: Callable, error: ClientError, facts: CallFacts): OutcomeUnknown {
  return new OutcomeUnknown(
    `Whether ${operation.id} took effect is unknown${callTrace(facts)}: ${error.message}`,
    { ...facts, cause: error },
  );
}
