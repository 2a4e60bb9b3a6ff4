import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Answer, ok } from '../answers/answer.ts';
import type { Request } from '../answers/request.ts';
import type { TokenGrant } from '../state/state.ts';

/** An OAuth app, as it is registered. */
export interface OAuthAppSetting {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly callbackUrl: string;
}

/** The current state of the OAuth app. */
export interface OAuthAppState {
  readonly clientId: string;
  clientSecret: string;
  callbackUrl: string;
  /** Codes that were not exchanged yet. */
  readonly codes: Map<string, { readonly login: string; readonly challenge: string }>;
}

const authorizeQuery = z.object({
  client_id: z.string(),
  redirect_uri: z.string(),
  state: z.string().min(1),
  code_challenge: z.string().length(43),
  code_challenge_method: z.literal('S256'),
  scope: z.string().default(''),
});

const exchangeBody = z.object({
  client_id: z.string(),
  client_secret: z.string(),
  code: z.string(),
  redirect_uri: z.string(),
  code_verifier: z.string().min(43).max(128),
});

/** The person at the browser, and whether they press "Cancel". GitHub itself knows the person by its own session. */
const cookie = /^user=([\w-]+)(; cancel)?$/;

/**
 * GitHub's web pages for signing in to another application. The published description of the API does not contain them,
 * so they are written by hand after "Authorizing OAuth apps" of GitHub's documentation. The pages for a GitHub App are the same.
 */
export function answerSignIn(
  request: Request,
  app: OAuthAppState,
  tokens: Map<string, TokenGrant>,
): Answer | undefined {
  if (request.method === 'GET' && request.path === '/login/oauth/authorize') return authorize(request, app);
  if (request.method === 'POST' && request.path === '/login/oauth/access_token')
    return exchange(request, app, tokens);
  return undefined;
}

function authorize({ query, headers }: Request, app: OAuthAppState): Answer {
  const parameters = authorizeQuery.parse(Object.fromEntries(query));
  if (parameters.client_id !== app.clientId) return { status: 404, body: 'no such application' };
  const back = new URL(app.callbackUrl);
  const answerWith = (answer: Record<string, string>): Answer => {
    back.search = new URLSearchParams({ ...answer, state: parameters.state }).toString();
    return { status: 302, headers: { location: back.href }, body: '' };
  };
  if (parameters.redirect_uri !== app.callbackUrl) return answerWith({ error: 'redirect_uri_mismatch' });
  const [, login, isCancelled] = cookie.exec(headers.cookie ?? '') ?? [];
  if (login === undefined) return { status: 200, body: 'the page of GitHub to sign in' };
  if (isCancelled !== undefined)
    return answerWith({
      error: 'access_denied',
      error_description: 'The user has denied your application access.',
    });
  const code = randomBytes(10).toString('hex');
  app.codes.set(code, { login, challenge: parameters.code_challenge });
  return answerWith({ code });
}

/** GitHub answers with the status 200 also if there is an error. */
function exchange({ body, headers }: Request, app: OAuthAppState, tokens: Map<string, TokenGrant>): Answer {
  if (headers.accept?.includes('application/json') !== true)
    return { status: 200, body: 'error=form-encoded' };
  const parameters = exchangeBody.parse(body);
  if (parameters.client_id !== app.clientId || parameters.client_secret !== app.clientSecret)
    return ok({ error: 'incorrect_client_credentials' });
  if (parameters.redirect_uri !== app.callbackUrl) return ok({ error: 'redirect_uri_mismatch' });
  const authorization = app.codes.get(parameters.code);
  app.codes.delete(parameters.code);
  const challenge = createHash('sha256').update(parameters.code_verifier).digest('base64url');
  if (authorization === undefined || authorization.challenge !== challenge)
    return ok({ error: 'bad_verification_code' });
  const token = `gho_${randomBytes(18).toString('hex')}`;
  tokens.set(token, { login: authorization.login, permissions: {} });
  return ok({ access_token: token, token_type: 'bearer', scope: '' });
}
