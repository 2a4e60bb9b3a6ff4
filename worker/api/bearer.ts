import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether an Authorization header bears the token; in a time that tells nothing of how much of it fits. */
export function bears(header: string | undefined, token: string): boolean {
  const given = /^bearer ([\x21-\x7e]+)$/i.exec(header ?? '')?.[1];
  if (given === undefined) return false;
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
