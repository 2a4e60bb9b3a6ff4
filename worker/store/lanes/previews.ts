import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Keys } from '../scripts/keys.ts';

/** Seconds for which a preview can be carried out. */
const previewSeconds = 3_600;

/** Stores previews of bulk actions, so that exactly what was shown is carried out. */
export interface Previews {
  /** Keeps a preview for an hour; returns its fingerprint, which is the same for the same content. */
  keepPreview(content: object): Promise<string>;
  /** The content of a preview, as it was given. */
  preview(fingerprint: string): Promise<unknown>;
}

export function createPreviews(redis: Redis, keys: Keys): Previews {
  return {
    async keepPreview(content: object): Promise<string> {
      const text = JSON.stringify(content);
      const fingerprint = createHash('sha256').update(text).digest('base64url');
      await redis.set(keys.preview(fingerprint), text, 'EX', previewSeconds);
      return fingerprint;
    },
    async preview(fingerprint: string): Promise<unknown> {
      const text = await redis.get(keys.preview(fingerprint));
      return text === null ? undefined : (JSON.parse(text) as unknown);
    },
  };
}
