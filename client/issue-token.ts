import type { IssuedToken } from './client-credentials.ts';
import { errorOf } from './conclude.ts';
import type { CallParts } from './call-parts.ts';
import { performCall } from './perform-call.ts';
import type { Redactor } from '../lib/core/redactor.ts';
import { redactEnd } from './redaction.ts';
import { type Credentials, readTokenAnswer, tokenRequest } from './token-request.ts';

const subject = { id: 'authentication', role: 'member', retry: 'repeatable' } as const;

/**
 * Exchanges client credentials for a token. A repetition is harmless, so it is retried like a read.
 *
 * @throws {Unauthorized} {@link Unreachable} {@link NoAnswer} {@link AnswerUnreadable}
 */
export async function issueToken(
  credentials: Credentials,
  userAgent: string,
  parts: CallParts,
  redactor: Redactor,
): Promise<IssuedToken> {
  const facts = { operation: subject.id };
  const call = await performCall(subject, tokenRequest(credentials, userAgent), parts, facts);
  const known = { ...facts, attempts: call.attempts };
  if (call.end.kind !== 'answered') {
    throw errorOf(subject, { ...call, end: redactEnd(call.end, redactor) }, known, parts.clock.now());
  }
  const { answer } = call.end;
  if (answer.status >= 300) {
    return readTokenAnswer({ ...answer, text: redactor.text(answer.text) }, known);
  }
  const issued = readTokenAnswer(answer, known);
  redactor.addRotating(issued.token);
  return issued;
}
