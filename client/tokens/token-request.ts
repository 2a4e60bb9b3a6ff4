import * as z from 'zod';
import type { WireAnswer, WireRequest } from '../transport/wire.ts';
import { AnswerUnreadable, type CallFacts, Unauthorized } from '../errors/errors.ts';
import type { IssuedToken } from './client-credentials.ts';
import { errorOfAnswer } from '../errors/error-of-answer.ts';
import { validateToken } from '../calls/authentication.ts';
import { parseHttpUrl } from '../request/platform-address.ts';

/** The credential that is exchanged for a token at the token URL. */
export interface TokenGrant {
  readonly tokenUrl: string;
  /** The fields of the form; undefined ones are omitted. */
  readonly form: Readonly<Record<string, string | undefined>>;
  /** The kind of credential, for messages. */
  readonly what: 'client credentials' | 'ID token';
}

/** Used if the answer does not contain the token's lifetime (unknowns §1). */
const defaultLifetimeSeconds = 1800;

/** The request of an OAuth 2.0 exchange, form-encoded (unknowns §1). */
export function tokenRequest({ tokenUrl, form }: TokenGrant, userAgent: string): WireRequest {
  const url = parseHttpUrl(tokenUrl, 'tokenUrl');
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) if (value !== undefined) fields.set(name, value);
  return {
    method: 'POST',
    origin: url.origin,
    path: url.pathname + url.search,
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': userAgent,
    },
    body: { kind: 'text', text: fields.toString() },
    fresh: false,
  };
}

const tokenAnswer = z.looseObject({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().optional(),
});
const refusal = z.looseObject({ error: z.string(), error_description: z.string().optional() });

/**
 * Parses the token URL's answer. Its errors have the form `{ error, error_description }`.
 *
 * @throws {Unauthorized} for 400, 401 and 403; {@link AnswerUnreadable} for a 2xx without a token.
 */
export function readTokenAnswer(answer: WireAnswer, what: TokenGrant['what'], facts: CallFacts): IssuedToken {
  const body = parseJson(answer.text);
  if (answer.status >= 200 && answer.status < 300) {
    const parsed = tokenAnswer.safeParse(body);
    if (!parsed.success) {
      throw new AnswerUnreadable('authentication: the token URL answered without a token.', facts);
    }
    return {
      token: validateToken(parsed.data.access_token, 'tokenUrl'),
      lifetimeMs: (parsed.data.expires_in ?? defaultLifetimeSeconds) * 1000,
    };
  }
  if ([400, 401, 403].includes(answer.status)) {
    const errorBody = refusal.safeParse(body);
    const reason = errorBody.success ? `: ${errorBody.data.error_description ?? errorBody.data.error}` : '';
    throw new Unauthorized(
      `authentication: the token URL refused the ${what} (${answer.status})${reason.replace(/\.$/u, '')}.`,
      facts,
    );
  }
  throw errorOfAnswer({ id: 'authentication', role: 'member' }, answer, facts, undefined);
}

/** Parses JSON; `undefined` for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
