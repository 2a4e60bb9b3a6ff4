import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { loadScript, type Script, statusIn } from '../../../lib/redis/scripts/lua-script.ts';

/** The facts on which the duration of an execution depends. */
export interface TimedPipeline {
  readonly project: string;
  readonly environment: string;
  readonly pipeline: string;
}

/** How long the last successful executions of each pipeline took, stored in Redis for all workers. */
export interface Durations {
  record(of: TimedPipeline, ms: number): Promise<void>;
  /** The median in milliseconds; undefined if there are too few. */
  median(of: TimedPipeline): Promise<number | undefined>;
}

const kept = 21;
const fewest = 3;
/** Records of a pipeline that no longer runs expire. */
const keepSeconds = 90 * 86_400;

export function createDurations(redis: Redis, prefix: string): Durations {
  const keyOf = ({ project, environment, pipeline }: TimedPipeline): string => {
    const digest = createHash('sha256').update(
      JSON.stringify([project.toLowerCase(), environment, pipeline]),
    );
    return `${prefix}:durations:${digest.digest('base64url').slice(0, 22)}`;
  };
  return {
    async record(of, ms) {
      await addDuration(redis, [keyOf(of)], { ms: Math.max(0, Math.round(ms)), kept, keepSeconds });
    },
    async median(of) {
      const all = (await redis.lrange(keyOf(of), 0, kept - 1)).map(Number).toSorted((a, b) => a - b);
      return all.length < fewest ? undefined : all[Math.floor(all.length / 2)];
    },
  };
}

interface DurationArguments {
  readonly ms: number;
  /** How many are kept. */
  readonly kept: number;
  readonly keepSeconds: number;
}

/** Keeps how long an execution took. Key: the times of its pipeline. */
const addDuration: Script<DurationArguments, 'ok'> = loadScript(
  import.meta.dirname,
  'add-duration.lua',
  statusIn('ok'),
);
