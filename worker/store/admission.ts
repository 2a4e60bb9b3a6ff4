import type { Clock } from '../../lib/core/ports/ports.ts';
import { storedTask } from '../records/stored-task.ts';
import { accept } from './lanes/accept.ts';
import type { Acceptance, Accepted } from './lanes/acceptance.ts';
import { finishFollowing, promotionsToReconcile, wake } from './lanes/lane-control-scripts.ts';
import { targetName } from './live/live-target.ts';
import { stateLost } from './recovery/state-lost.ts';
import type { CallLaneScript } from './scripts/lane-script.ts';
import { toJson } from '../../lib/redis/scripts/lua-script.ts';

/** Cancelled promotions in a row after which the next one may finish; otherwise nothing would ever be live. */
const maxCancels = 3;

/** Admits promotions to their lanes, and starts the next promotion of a lane. */
export interface Admission {
  /** `enqueues`: the promotion that has the lane now gets its job in the same step. */
  accept(acceptance: Acceptance, options?: { readonly enqueues?: boolean }): Promise<Accepted>;
  /**
   * Starts the next promotion of each of these lanes that is idle. Returns the promotions. Takes some hundred lanes at
   * a time.
   */
  wake(lanes: readonly string[]): Promise<readonly string[]>;
  /** Returns the promotions, of some hundred, that do not merely wait for an enqueued advance. */
  promotionsToReconcile(promotions: readonly string[], jobKeys: string): Promise<readonly string[]>;
  /** Records that the lanes after a promotion have accepted it. */
  finishFollowing(promotion: string): Promise<void>;
}

/** `superseded` is called with the number of promotions that ended because of a newer one. */
export function createAdmission(
  call: CallLaneScript,
  clock: Clock,
  superseded: (count: number) => void,
): Admission {
  return {
    async accept(acceptance, { enqueues = false } = {}) {
      const answer = await call(accept, {
        ...acceptArguments(acceptance, clock.now()),
        // BullMQ uses the machine's clock.
        advanceAt: enqueues ? Date.now() : undefined,
      });
      if (answer.status !== 'accepted') return { status: answer.status };
      const { status, seq, started, touched } = answer;
      superseded(answer.superseded);
      return { status, seq, started, touched };
    },
    async wake(lanes) {
      const answer = await call(wake, { lanes });
      superseded(answer.superseded);
      return answer.started;
    },
    async promotionsToReconcile(promotions, jobKeys) {
      return call(promotionsToReconcile, { promotions, jobKeys });
    },
    async finishFollowing(promotion) {
      await call(finishFollowing, { promotion });
    },
  };
}

/** What the script `accept` gets, apart from what every script gets. */
function acceptArguments(
  { promotionId, task, order, newer, head, expectedSeq, headSince, audit }: Acceptance,
  now: number,
) {
  const { lane, version, repository } = task;
  const named = version.kind === 'named' ? version.name : undefined;
  return {
    lane: lane.id,
    promotion: promotionId,
    policy: lane.policy,
    order,
    newer: newer?.name ?? 'a commit',
    isSameCommit: newer?.isSameCommit ?? false,
    headField: head.field,
    head: head.value,
    expectedSeq,
    ref: task.ref,
    headSince,
    maxCancels,
    name: named ?? task.commit.slice(0, 12),
    lostHold: toJson(stateLost(now)),
    promotionFields: { task: toJson(storedTask(task)) },
    laneFields: {
      name: lane.name,
      repository: repository.fullName,
      project: lane.project,
      from: lane.from,
      to: lane.to,
    },
    commit: task.commit,
    target: targetName({ project: lane.project, environment: lane.to }),
    audit: audit && { by: audit.by, via: audit.via, act: audit.act, data: audit.data },
  };
}
