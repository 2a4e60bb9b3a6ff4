import { createHash, createHmac, randomBytes } from 'node:crypto';
import { sign, unsign } from '@fastify/cookie';

/** How long a person has to authorize the app on GitHub, in seconds. GitHub's code is valid for the same time. */
export const attemptSeconds = 600;

/**
 * One sign-in with GitHub, from the click on the button to GitHub's answer. Only the browser that began it knows
 * its id.
 */
export interface SignInAttempt {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
  /** The page to go to afterwards. */
  readonly next: string;
}

export function createAttempt(next: string, now: number): SignInAttempt {
  return { id: randomBytes(32).toString('base64url'), until: now + attemptSeconds * 1_000, next };
}

/**
 * The value of the attempt's cookie. It is signed, so that its expiry cannot be changed. The worker stores nothing
 * before the person is known.
 */
export function sealAttempt({ id, until, next }: SignInAttempt, clientSecret: string): string {
  return sign([id, until, Buffer.from(next).toString('base64url')].join('.'), keyOf(clientSecret));
}

/** The attempt in a cookie; undefined if the worker did not write the cookie or the attempt has expired. */
export function openAttempt(cookie: string, clientSecret: string, now: number): SignInAttempt | undefined {
  const { valid, value } = unsign(cookie, keyOf(clientSecret));
  const [id = '', until = '', next = ''] = valid ? value.split('.') : [];
  return id !== '' && now < Number(until)
    ? { id, until: Number(until), next: Buffer.from(next, 'base64url').toString() }
    : undefined;
}

/** The `state` of the authorization request, which GitHub sends back. It does not reveal the attempt's id. */
export function stateOf({ id }: SignInAttempt): string {
  return createHmac('sha256', id).update('state').digest('base64url');
}

/** The verifier and the S256 challenge of PKCE (RFC 7636). With them, GitHub's code is useless without the cookie. */
export function pkceOf({ id }: SignInAttempt): { readonly verifier: string; readonly challenge: string } {
  const verifier = createHmac('sha256', id).update('verifier').digest('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

function keyOf(clientSecret: string): string {
  return createHmac('sha256', clientSecret).update('sign-in attempt').digest('base64url');
}
