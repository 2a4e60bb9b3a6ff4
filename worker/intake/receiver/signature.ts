import { createHmac, timingSafeEqual } from 'node:crypto';

const signaturePattern = /^sha256=[0-9a-f]{64}$/;

/** Whether a header has the form of a signature: `sha256=` and 64 hex digits. */
export function isSignature(header: string | undefined): header is string {
  return header !== undefined && signaturePattern.test(header);
}

/**
 * Whether the body was signed with one of the secrets, over the raw bytes. Tries every secret, so that the time
 * does not reveal which one matched.
 */
export function isSignedWith(body: Buffer, header: string, secrets: readonly string[]): boolean {
  if (!isSignature(header)) return false;
  const signature = Buffer.from(header.slice('sha256='.length), 'hex');
  let isSigned = false;
  for (const secret of secrets) {
    const right = createHmac('sha256', secret).update(body).digest();
    if (signature.length === right.length && timingSafeEqual(signature, right)) isSigned = true;
  }
  return isSigned;
}
