import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { toJson } from '../store/lua-script.ts';
import { stateLost } from '../store/state-lost.ts';
import { claim } from '../store/scripts/rebuild.ts';
import type { Engine } from './engine.ts';
import { messageOf } from './advance.ts';

/** Knows whether the records in Redis are the ones that this worker has worked on. */
export interface StateGuard {
  /**
   * Looks whether the records are there; where they were lost, begins to make the lanes anew, on hold, and goes on
   * with what is left of that. Throws only what Redis throws.
   */
  check(): Promise<void>;
  /** Whether the lanes of a repository have yet to be made anew: until then nothing may run in them. */
  isRebuilding(repositoryId: number): Promise<boolean>;
}

export interface StateGuardOptions {
  readonly redis: Redis;
  readonly engine: Engine;
  /** What an empty Redis at the start of the worker means: worker.yaml, `empty-redis`. */
  readonly emptyMeans: 'new' | 'lost';
  readonly repositories: readonly number[];
  /** Makes the lanes of a repository anew, on hold. */
  readonly rebuild: (repositoryId: number) => Promise<void>;
}

/**
 * A marker lies beside the records. A Redis that was emptied, or that came back without its data, has none, or
 * another one; lanes that went on then would not know what they had accepted and verified.
 */
export function createStateGuard(options: StateGuardOptions): StateGuard {
  const { redis, engine, emptyMeans, repositories, rebuild } = options;
  const { prefix } = engine.settings;
  const left = `${prefix}:rebuilding`;
  let known = '';
  let working: Promise<void> | undefined;

  async function checkMarker(): Promise<void> {
    const now = engine.clock.now();
    const { marker, status } = await claim(redis, [`${prefix}:state`], {
      prefix,
      now,
      known,
      fresh: randomUUID(),
      emptyMeans,
      hold: toJson(stateLost(now)),
      repositories: repositories.map(String),
    });
    known = marker;
    if (status !== 'lost') return;
    engine.metrics.stateLost.inc();
    engine.logger.error(
      'The records in Redis are gone. All lanes are made anew, on hold until a person releases them.',
      {
        repositories: repositories.length,
      },
    );
  }

  async function rebuildAll(): Promise<void> {
    for (const id of await redis.smembers(left)) {
      try {
        await rebuild(Number(id));
        await redis.srem(left, id);
      } catch (error) {
        engine.logger.warn('The lanes of a repository could not be made anew yet; nothing runs in them.', {
          repository_id: id,
          error: messageOf(error),
        });
      }
    }
  }

  return {
    async check() {
      await checkMarker();
      working ??= rebuildAll().finally(() => (working = undefined));
      await working;
    },
    async isRebuilding(repositoryId) {
      await checkMarker();
      return (await redis.sismember(left, repositoryId)) === 1;
    },
  };
}
