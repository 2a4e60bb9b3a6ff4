import { z } from 'zod';
import type { Clock } from '../../core/ports/ports.ts';
import { Failure } from '../../core/errors/failure.ts';
import { createRedactor } from '../../core/text/redactor.ts';
import { requestCurrentUser } from './current-user.ts';
import { githubFailure } from './github-failure.ts';
import type { ProxySettings } from '../../http/proxy-settings.ts';
import { createOctokit } from './octokit.ts';
import { createPooledFetch } from './pooled-fetch.ts';
import { readAnswer } from './read-answer.ts';

/** An OAuth app, or a GitHub App that people authorize, and where GitHub sends them back. */
export interface OAuthApp {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Base of GitHub's web pages. */
  readonly webUrl: string;
  /** Base of the API. */
  readonly apiUrl: string;
  /** Exactly as it is registered. */
  readonly redirectUri: string;
}

/** A person on GitHub. */
export interface GitHubPerson {
  /** GitHub's id: another person can register the same login later. */
  readonly id: number;
  readonly login: string;
}

export interface Authorization {
  readonly code: string;
  /** The PKCE verifier of the challenge that the person was sent to GitHub with. */
  readonly verifier: string;
}

interface CallOptions {
  readonly clock: Clock;
  /** Milliseconds for one request. */
  readonly timeoutMs: number;
  readonly proxy?: ProxySettings | undefined;
}

/** More than GitHub answers to either call. */
const maxAnswerBytes = 65_536;

/** The page on which a person authorizes the app. Without a scope: the token may read only what is public. */
export function authorizationUrl(
  { clientId, webUrl, redirectUri }: OAuthApp,
  { state, challenge }: { readonly state: string; readonly challenge: string },
): string {
  const url = new URL(`${webUrl}/login/oauth/authorize`);
  url.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    allow_signup: 'false',
  }).toString();
  return url.href;
}

const tokenAnswer = z.union([
  z.object({ access_token: z.string().min(1) }),
  z.object({ error: z.string().regex(/^[a-z_]{1,60}$/) }),
]);

const userAnswer = z.object({
  id: z.int().positive(),
  login: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$/),
});

/**
 * Finds out who authorized the app: exchanges the code for an access token, reads the user, and forgets the token. Undefined if
 * GitHub refuses the code: it is used, expired, or belongs to another sign-in. Throws Failure 'github-failed', which contains
 * neither the client secret nor the token.
 */
export async function identifyUser(
  app: OAuthApp,
  authorization: Authorization,
  options: CallOptions,
): Promise<GitHubPerson | undefined> {
  const token = await exchangeCode(app, authorization, options);
  if (token === undefined) return undefined;
  return withoutSecrets('read who signed in', { ...options, secrets: [token] }, async () => {
    const octokit = createOctokit({
      apiUrl: app.apiUrl,
      token,
      fetch: createPooledFetch({ ...options, maxAnswerBytes }),
    });
    return readAnswer(userAnswer, (await requestCurrentUser(octokit)).data);
  });
}

async function exchangeCode(
  { clientId, clientSecret, webUrl, redirectUri }: OAuthApp,
  { code, verifier }: Authorization,
  options: CallOptions,
): Promise<string | undefined> {
  const secrets = [clientSecret, code, verifier];
  const answer = await withoutSecrets('exchange the code of a sign-in', { ...options, secrets }, async () => {
    const octokit = createOctokit({
      apiUrl: webUrl,
      fetch: createPooledFetch({ ...options, maxAnswerBytes }),
    });
    const { data } = await octokit.request('POST /login/oauth/access_token', {
      headers: { accept: 'application/json' },
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    return readAnswer(tokenAnswer, data);
  });
  if ('access_token' in answer) return answer.access_token;
  if (answer.error === 'bad_verification_code') return undefined;
  throw new Failure('github-failed', {
    message: `GitHub refused the sign-in (${answer.error}).`,
    hint: refusalHints.get(answer.error) ?? 'Check the app in its settings on GitHub.',
  });
}

const refusalHints: ReadonlyMap<string, string> = new Map([
  [
    'incorrect_client_credentials',
    'Check the client id and the client secret of the app: create a new secret in the settings of the app on GitHub.',
  ],
  [
    'redirect_uri_mismatch',
    'Register the callback address of the worker in the settings of the app on GitHub; `millrace doctor` shows it.',
  ],
  ['unverified_user_email', 'The person must verify the primary e-mail address of their GitHub account.'],
]);

/** An error of octokit contains the request with its secrets, and its message may repeat them; the failure keeps neither. */
async function withoutSecrets<T>(
  operation: string,
  { clock, secrets }: { readonly clock: Clock; readonly secrets: readonly string[] },
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const redact = createRedactor(secrets).text;
    const { message, hint, details } = githubFailure(error, { operation, now: clock.now(), redact });
    throw new Failure('github-failed', { message, hint, details });
  }
}
