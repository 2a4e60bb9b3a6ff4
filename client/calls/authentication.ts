import { readFile } from 'node:fs/promises';
import { requireText } from '../../lib/core/files/decode-text.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Auth } from '../interface/client-options.ts';
import { headerValue } from '../request/header-value.ts';
import type { Redactor } from '../../lib/core/text/redactor.ts';

/** Provides the bearer token of each attempt (spec §5). */
export interface Authentication {
  /** The token to use now; a promise only if it is not known yet. @throws {Failure} `no-token`, `unauthorized`, or as a call does */
  token(signal: AbortSignal | undefined): string | Promise<string>;
  /** After a 401: returns whether a token other than the refused one is available, so that another attempt is useful. */
  renew(refused: string): Promise<boolean>;
  /** Aborts background requests for a token: a closed client sends nothing. */
  close(): void;
}

/** A token that never changes: a 401 is final. */
export function fixedToken(token: string): Authentication {
  const validated = validateToken(token, 'token');
  return { token: () => validated, renew: async () => false, close() {} };
}

/** A token in a file, which is read for every attempt, so that the token may be rotated. */
export function tokenFromFile(file: string, redactor: Redactor): Authentication {
  const read = async (): Promise<string> => {
    const token = validateToken(await readTokenFile(file, 'tokenFile'), 'tokenFile');
    redactor.addRotating(token);
    return token;
  };
  return { token: read, renew: async (refused) => (await read()) !== refused, close() {} };
}

const authKinds = ['token', 'tokenFile', 'clientId', 'identity'] as const;

/**
 * Rejects an `auth` that only a JavaScript caller can pass: none, one of an unknown kind, or one whose value is undefined,
 * for example from an environment variable that is not set. @throws {Failure} `no-token`
 */
export function validateAuth(auth: unknown): void {
  const fields = Object.entries(typeof auth === 'object' && auth !== null ? auth : {});
  if (fields.some(([name, value]) => isAuthKind(name) && value !== undefined)) return;
  const unset = fields.find(([name]) => isAuthKind(name))?.[0];
  throw new Failure('no-token', {
    message: unset === undefined ? 'The option auth contains no credential.' : `auth.${unset} is not set.`,
    where: { input: 'auth' },
    hint: 'Give createClient { token }, { tokenFile }, { clientId, clientSecret, tokenUrl } or { identity, idToken, tokenUrl } as auth. If the value comes from an environment variable, check that the variable is set.',
  });
}

const isAuthKind = (name: string): boolean => authKinds.some((kind) => kind === name);

/**
 * Validates a token and returns it without surrounding blanks. The error never quotes it. @throws {Failure}
 * `no-token` if it is empty, `value-unsendable` if a header cannot carry it.
 */
export function validateToken(token: string, input: string): string {
  const trimmed = token.trim();
  if (trimmed === '') {
    throw new Failure('no-token', {
      message: 'The token for the platform is empty.',
      hint: 'Give the token that the platform issued.',
      where: { input },
    });
  }
  try {
    return headerValue('authentication', 'token', trimmed);
  } catch {
    throw new Failure('value-unsendable', {
      message: 'The token contains a character that a header cannot carry.',
      where: { input },
      hint: 'Copy the token again, without line breaks or typographic quotation marks.',
    });
  }
}

/** Reads a token from a file. @throws {Failure} `no-token` with the path, and the option that names it */
export async function readTokenFile(file: string, input: string): Promise<string> {
  try {
    return requireText(await readFile(file), file, 'no-token');
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure('no-token', {
      message: `The token file ${file} cannot be read.`,
      hint: 'Correct the path of the file, or make it readable.',
      where: { input },
      cause,
    });
  }
}

/** The secrets that are known before the first call. */
export function secretsOf(auth: Auth): string[] {
  if ('token' in auth) return [auth.token.trim()];
  if ('clientSecret' in auth) return [auth.clientSecret];
  if (!('idToken' in auth)) return [];
  const { idToken } = auth;
  if ('token' in idToken) return [idToken.token.trim()];
  return 'requestToken' in idToken ? [idToken.requestToken] : [];
}
