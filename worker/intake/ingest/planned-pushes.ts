import type { WorkerConfig } from '../../../lib/config/read-worker-config.ts';
import type { Clock } from '../../../lib/core/ports.ts';
import type { Failure } from '../../../lib/core/failure.ts';
import type { GitHubRepository } from '../../../lib/github/repositories.ts';
import type { PushEvent } from '../../records/push-event.ts';
import type { PlannedLane } from './plan-lanes.ts';

/** A push with everything that GitHub must be asked before its lanes accept it. */
export interface PlannedPush {
  readonly repository: GitHubRepository;
  readonly head: string;
  readonly planned: readonly PlannedLane[];
  readonly refusal: Failure | undefined;
  /** The sequence of each lane, from before `head` was read for the last time. */
  readonly seqs: readonly number[];
}

/**
 * The planned pushes of this process that wait for their turn: when it comes, they need not be read again, so that the next
 * push is accepted soon. Another process that gets the push reads it by itself.
 */
export interface PlannedPushes {
  keep(event: PushEvent, push: PlannedPush, config: WorkerConfig): void;
  /** Undefined if the push was not kept, or too long ago, or under another worker.yaml. */
  take(event: PushEvent, config: WorkerConfig): PlannedPush | undefined;
}

const maxKept = 1_000;
const maxAgeMs = 60_000;

/** A sweep may find the same push again: then it waits since another time. */
const keyOf = ({ digest, waits }: PushEvent): string => `${digest} ${waits?.turnSince ?? ''}`;

export function createPlannedPushes({ now }: Pick<Clock, 'now'>): PlannedPushes {
  const kept = new Map<string, { readonly push: PlannedPush; readonly config: WorkerConfig }>();
  return {
    keep(event, push, config) {
      kept.set(keyOf(event), { push, config });
      const [oldest] = kept.keys();
      if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    },
    take(event, config) {
      const found = kept.get(keyOf(event));
      kept.delete(keyOf(event));
      const age = now() - (event.waits?.turnSince ?? 0);
      return found?.config === config && age <= maxAgeMs ? found.push : undefined;
    },
  };
}
