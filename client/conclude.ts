import { callTrace } from './call-trace.ts';
import type { Callable } from './callable.ts';
import type { CallEnd } from './perform-call.ts';
import {
  AnswerUnreadable,
  type CallFacts,
  Cancelled,
  type ClientError,
  NoAnswer,
  OutcomeUnknown,
  Unreachable,
} from './errors.ts';
import { type ErrorSubject, errorOfAnswer } from './error-of-answer.ts';
import { readAnswer } from './read-answer.ts';
import { retryAfterMs } from './retry-delay.ts';
import { mustNotRepeat } from './retry-rule.ts';

/**
 * What the attempts mean: the answer's body, or the error of the condition. For an operation that must not be
 * repeated, whatever leaves open whether it took place is `OutcomeUnknown`.
 *
 * @throws {ClientError}
 */
export function conclude(operation: Callable, call: CallEnd, known: CallFacts, now: number): unknown {
  const { end, attempts } = call;
  const facts: CallFacts = { ...known, attempts, budgetSpent: call.budgetSpent };
  if (end.kind === 'answered') {
    const { status } = end.answer;
    if (status >= 200 && status < 300) return read(operation, end.answer, facts);
    // An earlier attempt, whose answer was lost, deleted it.
    if (status === 404 && operation.method === 'DELETE' && call.landedBefore) return undefined;
  }
  const error = errorOf(operation, call, facts, now);
  if (!call.landed || !mustNotRepeat(operation.retry)) throw error;
  throw unknown(operation, error, { ...facts, status: error.status, body: error.body });
}

function read(operation: Callable, answer: Parameters<typeof readAnswer>[1], facts: CallFacts): unknown {
  try {
    return readAnswer(operation, answer, facts);
  } catch (error) {
    // A 2xx says that something was done, but not what; a web page may have taken the answer's place.
    if (!(error instanceof AnswerUnreadable) || !mustNotRepeat(operation.retry)) throw error;
    throw unknown(operation, error, { ...facts, status: answer.status });
  }
}

/** The error of the condition that the last attempt ended in. */
export function errorOf(
  operation: ErrorSubject,
  { end, address }: Pick<CallEnd, 'end' | 'address'>,
  facts: CallFacts,
  now: number,
): ClientError {
  switch (end.kind) {
    case 'never-sent':
      return new Unreachable(
        `${operation.id}: ${operation.id === 'authentication' ? 'the token URL' : 'the platform'} at ${address} could not be reached: ${end.problem}.`,
        facts,
      );
    case 'lost':
      return new NoAnswer(`${operation.id}: the answer did not come: ${end.problem}.`, {
        ...facts,
        status: end.status,
      });
    case 'cancelled':
      // A middleware's doing: the caller's own signal ends a call before it is concluded.
      return new Cancelled(`${operation.id} was cancelled.`, facts, end.sent);
    case 'undecodable':
      return new AnswerUnreadable(`${operation.id}: the answer cannot be read: ${end.problem}.`, {
        ...facts,
        status: end.status,
      });
    case 'too-large':
      return new AnswerUnreadable(`${operation.id}: the answer is longer than the client reads.`, {
        ...facts,
        status: end.status,
      });
    case 'answered':
      return errorOfAnswer(operation, end.answer, facts, retryAfterMs(end.answer.headers, now));
  }
}

function unknown(operation: Callable, error: ClientError, facts: CallFacts): OutcomeUnknown {
  return new OutcomeUnknown(
    `Whether ${operation.id} took place is unknown${callTrace(facts)}: ${error.message}`,
    { ...facts, cause: error },
  );
}
