import { createHash, randomBytes } from 'node:crypto';

/** A new token for an operator, and its hash for worker.yaml. */
export function createOperatorToken(): { readonly token: string; readonly hash: string } {
  // 256 random bits cannot be guessed, so a plain digest is safe to store.
  const token = `mrw_${randomBytes(32).toString('base64url')}`;
  return { token, hash: `sha256:${createHash('sha256').update(token).digest('hex')}` };
}
