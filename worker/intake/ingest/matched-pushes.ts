import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { WorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { Failure, type FailureOptions } from '../../../lib/core/errors/failure.ts';
import { version } from '../../../lib/core/values/version.ts';
import type { GitHubRepository } from '../../../lib/github/endpoints/repositories.ts';
import type { PushEvent } from '../../records/push-event.ts';
import type { Keys } from '../../store/scripts/keys.ts';
import type { MatchedLane } from './match-lanes.ts';

/** A push with everything that must be read from GitHub before its lanes accept it. */
export interface MatchedPush {
  readonly repository: GitHubRepository;
  readonly head: string;
  readonly matched: readonly MatchedLane[];
  readonly refusal: Failure | undefined;
  /** The sequence of each lane, from before `head` was read for the last time. */
  readonly seqs: readonly number[];
}

/**
 * The matched pushes that wait for their turn. What was read from GitHub is kept, so that it need not be read again
 * and the next push is accepted soon. It is kept in Redis, because the turn may come on another worker than the one
 * that matched the push.
 */
export interface MatchedPushes {
  keep(event: PushEvent, push: MatchedPush, config: WorkerConfig): Promise<void>;
  /** Undefined if the push was not kept, or too long ago, or under another worker.yaml or by another version of the worker. */
  take(event: PushEvent, config: WorkerConfig): Promise<MatchedPush | undefined>;
}

interface KeptPush extends Omit<MatchedPush, 'refusal'> {
  /** What it was matched under; see `setupOf`. */
  readonly setup: string;
  readonly refusal?: Pick<FailureOptions, 'message' | 'where' | 'hint'> & Pick<Failure, 'code'>;
}

const maxAgeMs = 60_000;

export function createMatchedPushes(redis: Redis, keys: Pick<Keys, 'matched'>): MatchedPushes {
  const keyOf = ({ digest, waits }: PushEvent): string | undefined =>
    waits?.turnSince === undefined ? undefined : keys.matched(digest, waits.turnSince);
  return {
    async keep(event, { refusal, ...push }, config) {
      const key = keyOf(event);
      if (key === undefined) return;
      const kept: KeptPush = {
        ...push,
        setup: setupOf(config),
        ...(refusal === undefined ? {} : { refusal: storedOf(refusal) }),
      };
      await redis.set(key, JSON.stringify(kept), 'PX', maxAgeMs);
    },
    async take(event, config) {
      const key = keyOf(event);
      const text = key === undefined ? null : await redis.getdel(key);
      if (text === null) return undefined;
      const { setup, refusal, ...push } = JSON.parse(text) as KeptPush;
      if (setup !== setupOf(config)) return undefined;
      return { ...push, refusal: refusal && new Failure(refusal.code, refusal) };
    },
  };
}

const storedOf = ({ code, message, hint, where }: Failure): NonNullable<KeptPush['refusal']> => ({
  code,
  message,
  hint,
  ...(where === undefined ? {} : { where }),
});

const setups = new WeakMap<WorkerConfig, string>();

/** The same in all workers of one version with the same worker.yaml. */
function setupOf(config: WorkerConfig): string {
  const remembered = setups.get(config);
  if (remembered !== undefined) return remembered;
  const setup = createHash('sha256')
    .update(`${version} ${JSON.stringify(config)}`)
    .digest('hex');
  setups.set(config, setup);
  return setup;
}
