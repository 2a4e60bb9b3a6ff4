import { Failure } from '../../core/errors/failure.ts';
import type { EnvironmentReader } from './environment-reader.ts';
import { Secret } from './secret.ts';

/** The ways to exchange the ID token of a workload for a token of the platform: RFC 8693, or RFC 7523 §2.2. */
export const identityWays = ['token-exchange', 'client-assertion'] as const;

/** The identity of a workload, which it proves with an ID token of its CI instead of a secret (unknowns §1). */
export interface IdentityCredential {
  readonly kind: 'identity';
  readonly way: (typeof identityWays)[number];
  readonly source:
    | { readonly token: Secret }
    /** Read again for each exchange. */
    | { readonly file: string }
    /** `token` permits the request of an ID token; it is not the ID token. */
    | { readonly requestUrl: string; readonly token: Secret; readonly audience?: string };
  readonly tokenUrl: string;
  readonly clientId?: string;
  readonly audience?: string;
}

/**
 * Reads the workload identity of MILLRACE_IDENTITY, or of MILLRACE_ID_TOKEN alone. Returns `no-id-token` if this
 * job gets no ID token, for example on a pull request from a fork. Throws Failure 'usage', and 'no-token' without
 * MILLRACE_TOKEN_URL.
 *
 * @param others the credentials that cannot be combined with it, by variable
 */
export function identityOf(
  reader: EnvironmentReader,
  others: Readonly<Record<string, unknown>>,
): IdentityCredential | 'no-id-token' | undefined {
  const named = reader.text('MILLRACE_IDENTITY');
  const idToken = reader.secret('MILLRACE_ID_TOKEN');
  if (named === undefined && idToken === undefined) return undefined;
  const way = identityWays.find((candidate) => candidate === (named ?? 'token-exchange'));
  if (way === undefined)
    throw new Failure('usage', {
      message: `MILLRACE_IDENTITY must be ${identityWays.join(' or ')}.`,
      where: { input: 'MILLRACE_IDENTITY' },
      hint: 'Choose the exchange that the token URL of your platform supports, or remove MILLRACE_IDENTITY.',
    });
  const other = Object.keys(others).find((name) => others[name] !== undefined);
  const cause = named === undefined ? 'MILLRACE_ID_TOKEN' : 'MILLRACE_IDENTITY';
  if (other !== undefined)
    throw new Failure('usage', {
      message: `${cause} and ${other} are both set.`,
      where: { input: other },
      hint: `Remove ${other} or ${cause}. With ${cause}, a secret is not needed.`,
    });
  const source = sourceOf(reader, idToken);
  if (source === undefined) return 'no-id-token';
  const tokenUrl = reader.address('MILLRACE_TOKEN_URL');
  if (tokenUrl === undefined)
    throw new Failure('no-token', {
      message: `${cause} is set, but MILLRACE_TOKEN_URL is not, so Millrace does not know where to exchange the ID token for a token of the platform.`,
      hint: 'Set MILLRACE_TOKEN_URL (or the input token-url) to the token URL of your platform.',
      where: { input: 'MILLRACE_TOKEN_URL' },
    });
  const clientId = reader.secret('MILLRACE_CLIENT_ID')?.secret.reveal();
  const audience = reader.text('MILLRACE_AUDIENCE');
  return {
    kind: 'identity',
    way,
    source,
    tokenUrl,
    ...(clientId === undefined ? {} : { clientId }),
    ...(audience === undefined ? {} : { audience }),
  };
}

/** The failure for a caller that needs a credential but has none. */
export function noIdToken(): Failure {
  return new Failure('no-token', {
    message: 'This job has no ID token, so it cannot sign in to the platform with its identity.',
    where: { input: 'MILLRACE_IDENTITY' },
    hint: 'On GitHub, add `id-token: write` under `permissions:` of the job. Pull requests from forks and from Dependabot get no ID token. On another CI, set MILLRACE_ID_TOKEN or MILLRACE_ID_TOKEN_FILE.',
  });
}

/** GitHub sets the two variables in a job with the permission `id-token: write`. */
function sourceOf(
  reader: EnvironmentReader,
  idToken: ReturnType<EnvironmentReader['secret']>,
): IdentityCredential['source'] | undefined {
  if (idToken !== undefined)
    return idToken.file === undefined ? { token: idToken.secret } : { file: idToken.file };
  const requestUrl = reader.text('ACTIONS_ID_TOKEN_REQUEST_URL');
  const requestToken = reader.text('ACTIONS_ID_TOKEN_REQUEST_TOKEN');
  if (requestUrl === undefined || requestToken === undefined) return undefined;
  const audience = reader.text('MILLRACE_ID_TOKEN_AUDIENCE');
  return { requestUrl, token: new Secret(requestToken), ...(audience === undefined ? {} : { audience }) };
}
