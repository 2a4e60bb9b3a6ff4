import { messageOf } from '../../core/errors/message-of.ts';
import { responseOf } from './error-response.ts';

/**
 * Why GitHub did not do what was asked. `suspended`: an owner has suspended the App's installation. `permission`: the
 * token lacks one. `not-installed`: the App has no access to the repository. `not-found`: the repository, or something in
 * it, does not exist for this token. `moved`: the repository was renamed or transferred. `key`: GitHub does not accept the
 * App's id or key. `clock`: the time of this host is wrong. `token`: it is wrong, expired or revoked. `no-app`: only an App
 * may do this, and the token is a person's. `locked`: the conversation is locked.
 */
export type RefusalCause =
  | 'rate-limit'
  | 'suspended'
  | 'permission'
  | 'no-app'
  | 'locked'
  | 'not-installed'
  | 'not-found'
  | 'moved'
  | 'key'
  | 'clock'
  | 'token'
  | 'server'
  | 'network'
  | 'other';

/** GitHub's words for a token without the permission. Any other 403 may be temporary: no permission is concluded from it. */
const permissionWords = /resource not accessible by|must have (?:admin|push|write)|not authorized to/iu;

/** Finds the cause from GitHub's status and message. Check for a rate limit first (`readRateLimit`). */
export function readRefusalCause(error: unknown): RefusalCause {
  const status = responseOf(error)?.status;
  const message = messageOf(error);
  if (status === undefined) return isRedirect(error) ? 'moved' : 'network';
  if (status === 401) return causeOf401(message);
  if (status === 403) {
    if (/suspended/iu.test(message)) return 'suspended';
    if (/must authenticate via a github app/iu.test(message)) return 'no-app';
    if (/is locked/iu.test(message)) return 'locked';
    return permissionWords.test(message) ? 'permission' : 'other';
  }
  if (status === 404) return /integration not found/iu.test(message) ? 'key' : 'not-found';
  return status >= 500 ? 'server' : 'other';
}

function causeOf401(message: string): RefusalCause {
  if (/'(?:iat|exp)'|issued at|expiration time/iu.test(message)) return 'clock';
  return /json web token/iu.test(message) ? 'key' : 'token';
}

/** No redirect is followed: it would send the token to another address. */
function isRedirect(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (/redirect/iu.test(cause.message)) return true;
  return false;
}
