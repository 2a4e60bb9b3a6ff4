import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Keys } from './keys.ts';

/** Seconds for which a preview can be carried out. */
const keepSeconds = 3_600;

/** Previews of bulk actions: what was shown is what is carried out. */
export function createPreviews(redis: Redis, keys: Keys) {
  return {
    /** Keeps a preview for an hour; returns its fingerprint, which is the same for the same content. */
    async keepPreview(content: object): Promise<string> {
      const text = JSON.stringify(content);
      const fingerprint = createHash('sha256').update(text).digest('base64url');
      await redis.set(keys.preview(fingerprint), text, 'EX', keepSeconds);
      return fingerprint;
    },
    /** The content of a preview, as it was given. */
    async preview(fingerprint: string): Promise<unknown> {
      const text = await redis.get(keys.preview(fingerprint));
      return text === null ? undefined : (JSON.parse(text) as unknown);
    },
  };
}
