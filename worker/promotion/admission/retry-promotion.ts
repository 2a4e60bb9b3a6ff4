import type { Via } from '../../records/audit-entry.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import type { LaneRecord } from '../../store/lanes/lane-record.ts';
import type { PromotionTask } from '../../records/promotion-task.ts';
import { admit, promotionIdOf } from './admit.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { Admission } from '../../store/admission.ts';
import type { Queues, Records } from '../context/ports.ts';

export type Retried =
  | { readonly status: 'retried'; readonly promotion: string }
  /** `changed`: the lane has accepted another promotion since the caller read it. */
  | { readonly status: 'unknown' | 'not-finished' | 'lost' | 'changed' }
  /** `promotion`: the earlier retry. */
  | { readonly status: 'retried-before'; readonly promotion: string };

/** Who retries: the name under which they act, and GitHub's id if they act with a GitHub account. */
interface Retrier {
  readonly by: string;
  readonly via: Via;
  readonly githubId?: number | undefined;
}

/** The id of the promotion that is the retry of a promotion. */
export function retryIdOf({ id, lane }: Pick<PromotionRecord, 'id' | 'lane'>): string {
  return promotionIdOf(lane, `retry of ${id}`);
}

/**
 * Why a retry of the promotion could take the target back to an older version or enable a disabled one: a person
 * requested the promotion, or the lane has accepted the promotion `newer` since. Only an admin may do such a retry.
 * Undefined if it cannot go back.
 */
export function whyRetryGoesBack(
  { id, task }: Pick<PromotionRecord, 'id' | 'task'>,
  lane: Pick<LaneRecord, 'lastPromotion'> | undefined,
): 'requested' | { readonly newer: string } | undefined {
  if (task.request !== undefined) return 'requested';
  const newer = lane?.lastPromotion;
  return newer === undefined || newer === id ? undefined : { newer };
}

/** The task for a new promotion of the same commit. */
export function taskAgain({ authorsReadFrom, ...task }: PromotionTask): PromotionTask {
  // The lane may have gone back since: its gate reads the authors since the version that is verified now.
  return authorsReadFrom === undefined ? task : { ...task, mayHaveOtherAuthors: true };
}

/**
 * Creates a new promotion of the same commit. It passes all gates again, without the old approvals. `expectedSeq`:
 * create it only if the lane's sequence number is still this one.
 */
export async function retryPromotion(
  id: string,
  { expectedSeq, by, via, githubId }: Retrier & { readonly expectedSeq?: number },
  ports: Records<Admission & LaneReads> & Queues,
): Promise<Retried> {
  const promotion = await ports.store.promotion(id);
  if (promotion === undefined) return { status: 'unknown' };
  if (promotion.state !== 'finished') return { status: 'not-finished' };
  const promotionId = retryIdOf(promotion);
  const { request, ...again } = taskAgain(promotion.task);
  const task = {
    ...again,
    retry: { of: id, by },
    // Who requests it again may not approve it.
    ...(request === undefined ? {} : { request: { ...request, by, via, githubId } }),
  };
  const audit = { by, via, act: 'retry', data: JSON.stringify({ of: id }) } as const;
  const accepted = await admit(
    { promotionId, task, order: 'any', head: { field: '', value: '' }, expectedSeq, audit },
    ports,
  );
  if (accepted.status === 'lost' || accepted.status === 'changed') return { status: accepted.status };
  return { status: accepted.status === 'accepted' ? 'retried' : 'retried-before', promotion: promotionId };
}
