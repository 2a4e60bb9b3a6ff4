import type { IssuedToken } from './client-credentials.ts';
import { errorOf } from '../calls/conclude.ts';
import type { CallParts } from '../calls/call-parts.ts';
import type { CallFacts } from '../errors/errors.ts';
import { type CallEnd, performCall } from '../calls/perform-call.ts';
import type { Redactor } from '../../lib/core/text/redactor.ts';
import { redactEnd } from '../transport/redaction.ts';
import { readTokenAnswer, type TokenGrant, tokenRequest } from './token-request.ts';
import type { WireRequest } from '../transport/wire.ts';

const subject = { id: 'authentication', role: 'member', retry: 'repeatable' } as const;

/**
 * Exchanges client credentials or an ID token for an access token. A repetition is harmless, so it is retried like a
 * read.
 *
 * @throws {Unauthorized} {@link Unreachable} {@link NoAnswer} {@link AnswerUnreadable}
 */
export async function issueToken(
  grant: TokenGrant,
  userAgent: string,
  parts: CallParts,
  redactor: Redactor,
): Promise<IssuedToken> {
  const { call, facts } = await perform(tokenRequest(grant, userAgent), parts, redactor);
  if (call.end.kind !== 'answered') throw errorOf(subject, call, facts, parts.clock.now());
  return readTokenAnswer(call.end.answer, grant.what, facts);
}

/** Sends a request for a token. The end is masked, unless it is a 2xx answer. */
export async function perform(
  request: WireRequest,
  parts: CallParts,
  redactor: Redactor,
): Promise<{ readonly call: CallEnd; readonly facts: CallFacts }> {
  const facts = { operation: subject.id };
  const call = await performCall(subject, request, parts, facts);
  return {
    call: { ...call, end: redactEnd(call.end, redactor) },
    facts: { ...facts, attempts: call.attempts },
  };
}
