import { createPrivateKey, sign } from 'node:crypto';

/** GitHub recommends this, because clocks differ. */
const backdateSeconds = 60;
/** GitHub accepts ten minutes at most, by its own clock. */
const lifetimeSeconds = 540;

/**
 * The JSON Web Token with which an App identifies itself. `nowMs`: GitHub's time, in milliseconds since 1970.
 */
export function createAppJwt(
  appId: string | number,
  privateKey: string,
  nowMs: number,
): { readonly jwt: string; readonly expiresAt: string } {
  const iat = Math.floor(nowMs / 1_000) - backdateSeconds;
  const exp = iat + lifetimeSeconds;
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const content = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode({ iat, exp, iss: String(appId) })}`;
  const signature = sign('RSA-SHA256', Buffer.from(content), createPrivateKey(privateKey));
  return {
    jwt: `${content}.${signature.toString('base64url')}`,
    expiresAt: new Date(exp * 1_000).toISOString(),
  };
}
