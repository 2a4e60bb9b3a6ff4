import { Failure } from '../../core/errors/failure.ts';
import type { EnvironmentReader, SecretSetting } from './environment-reader.ts';
import { Secret } from './secret.ts';
import { identityOf, type IdentityCredential } from './workload-identity.ts';

/** How Millrace authenticates at the platform (unknowns §1). */
export type PlatformCredential =
  | {
      readonly kind: 'token';
      readonly token: Secret;
      /** Read again for each renewal of the token. */ readonly file?: string;
    }
  | {
      readonly kind: 'client';
      readonly clientId: string;
      readonly clientSecret: Secret;
      readonly tokenUrl: string;
      readonly audience?: string;
    }
  | IdentityCredential;

/** The secret of a credential, for the redactor. */
export function secretOf(credential: PlatformCredential): Secret | undefined {
  switch (credential.kind) {
    case 'token':
      return credential.token;
    case 'client':
      return credential.clientSecret;
    case 'identity':
      return 'file' in credential.source ? undefined : credential.source.token;
  }
}

/**
 * The credential in the environment: a token, client credentials or a workload identity. Throws Failure 'no-token'
 * if it is incomplete, 'usage' if it contradicts itself. `no-id-token`: the job should use its identity, but gets
 * no ID token.
 */
export function credentialOf(reader: EnvironmentReader): PlatformCredential | 'no-id-token' | undefined {
  const token = reader.secret('MILLRACE_TOKEN');
  const clientSecret = reader.secret('MILLRACE_CLIENT_SECRET')?.secret;
  const identity = identityOf(reader, { MILLRACE_TOKEN: token, MILLRACE_CLIENT_SECRET: clientSecret });
  if (identity !== undefined) return identity;
  if (token !== undefined) return tokenCredential(token);
  const parts = {
    MILLRACE_CLIENT_ID: reader.secret('MILLRACE_CLIENT_ID')?.secret.reveal(),
    MILLRACE_CLIENT_SECRET: clientSecret,
    MILLRACE_TOKEN_URL: reader.address('MILLRACE_TOKEN_URL'),
  };
  const { MILLRACE_CLIENT_ID: clientId, MILLRACE_TOKEN_URL: tokenUrl } = parts;
  if (clientId !== undefined && clientSecret !== undefined && tokenUrl !== undefined) {
    const audience = reader.text('MILLRACE_AUDIENCE');
    return {
      kind: 'client',
      clientId,
      clientSecret,
      tokenUrl,
      ...(audience === undefined ? {} : { audience }),
    };
  }
  const missing = Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length === 3) return undefined;
  const message = `The client credentials for the platform are incomplete. Not set: ${missing.join(', ')}.`;
  throw new Failure('no-token', {
    message,
    hint: `Set ${missing.join(' and ')} too, or use MILLRACE_TOKEN alone.`,
    where: { input: missing[0] ?? '' },
  });
}

function tokenCredential({ secret, file }: SecretSetting): PlatformCredential {
  if (/\s/.test(secret.reveal())) {
    throw new Failure('usage', {
      message: 'MILLRACE_TOKEN contains a space or a line break, so it is not a token.',
      where: { input: 'MILLRACE_TOKEN' },
      hint: 'Set only the token, without "Bearer".',
    });
  }
  return { kind: 'token', token: secret, ...(file === undefined ? {} : { file }) };
}
