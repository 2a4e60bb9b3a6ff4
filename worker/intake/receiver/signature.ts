import { createHmac, timingSafeEqual } from 'node:crypto';

const signaturePattern = /^sha256=[0-9a-f]{64}$/;

/** Whether a header could be a signature at all: `sha256=` and 64 hex digits. */
export function isSignature(header: string | undefined): header is string {
  return header !== undefined && signaturePattern.test(header);
}

/**
 * Whether the body was signed with one of the secrets. Over the raw bytes; every secret is tried, so that the time
 * tells nothing of which one fits.
 */
export function isSignedWith(body: Buffer, header: string, secrets: readonly string[]): boolean {
  if (!isSignature(header)) return false;
  const given = Buffer.from(header.slice('sha256='.length), 'hex');
  let found = false;
  for (const secret of secrets) {
    const right = createHmac('sha256', secret).update(body).digest();
    if (given.length === right.length && timingSafeEqual(given, right)) found = true;
  }
  return found;
}
