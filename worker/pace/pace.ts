import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { runScript } from '../lanes/script.ts';
import { slow, take } from './bucket-script.ts';

/** What all workers together may send with one credential; the bucket lies in Redis. */
export interface Pace {
  /** Takes a token for a request, or says after how many milliseconds to ask again. */
  take(kind: 'effect' | 'read', what: string): Promise<number>;
  /** The platform refused: nothing for so many milliseconds, and less afterwards. */
  slow(ms: number): Promise<void>;
}

/** A longer pause than this is nobody's wish. */
const longestPauseMs = 300_000;

export function createPace(redis: Redis, prefix: string, credential: string, perMinute: number): Pace {
  const bucket = `${prefix}:pace:${credential}`;
  return {
    async take(kind, what) {
      const key = kind === 'effect' ? '' : createHash('sha256').update(what).digest('base64url').slice(0, 16);
      const [wait = '0'] = await runScript(redis, take, [bucket, `${bucket}:places`], [perMinute, kind, key]);
      return Number(wait);
    },
    async slow(ms) {
      await runScript(redis, slow, [bucket], [Math.min(Math.max(ms, 0), longestPauseMs), perMinute]);
    },
  };
}
