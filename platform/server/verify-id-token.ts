import {
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeJwt,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import type { ReadySeed } from '../seed/seed-schema.ts';

type Issuer = ReadySeed['issuers'][number];

/** Public keys only: neither `none` nor an algorithm with a shared secret. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
/** Seconds by which the clocks of the issuer and of this machine may differ. */
const clockTolerance = 5;

/** Thrown if an ID token is not accepted. The message contains no part of the token. */
export class IdTokenRefused extends Error {}

/**
 * Verifies ID tokens of the seed's issuers: signature, issuer, audience, expiry (RFC 7519, RFC 7523 §3). Uses the system's
 * clock, because the issuer does not know the platform's clock.
 */
export function createIdTokenVerifier(
  issuers: readonly Issuer[],
): (token: string, tokenUrl: string) => Promise<JWTPayload> {
  const keys = new Map<string, JWTVerifyGetKey>();
  return async (token, tokenUrl) => {
    try {
      const { iss } = decodeJwt(token);
      const issuer = issuers.find((trusted) => trusted.issuer === iss);
      if (issuer === undefined) throw new IdTokenRefused('The issuer of the ID token is not trusted.');
      const keySet = keys.get(issuer.issuer) ?? keysOf(issuer);
      keys.set(issuer.issuer, keySet);
      const { payload } = await jwtVerify(token, keySet, {
        issuer: issuer.issuer,
        audience: issuer.audience ?? tokenUrl,
        algorithms,
        clockTolerance,
        currentDate: new Date(systemClock.now()),
        requiredClaims: ['sub', 'exp'],
      });
      return payload;
    } catch (error) {
      throw error instanceof IdTokenRefused ? error : new IdTokenRefused(reasonOf(error), { cause: error });
    }
  };
}

function keysOf({ keys, jwksUri }: Issuer): JWTVerifyGetKey {
  if (jwksUri !== undefined) return createRemoteJWKSet(new URL(jwksUri));
  return createLocalJWKSet({ keys: keys ?? [] });
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The ID token has expired.';
  if (error instanceof errors.JWTClaimValidationFailed)
    return `The claim "${error.claim}" of the ID token is missing or not accepted.`;
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey)
    return 'The signature of the ID token does not match a key of its issuer.';
  if (error instanceof errors.JOSEAlgNotAllowed)
    return 'The algorithm of the ID token’s signature is not allowed.';
  if (error instanceof errors.JWKSTimeout || error instanceof TypeError)
    return 'The keys of the issuer cannot be fetched.';
  return 'The ID token is not a signed JWT.';
}
