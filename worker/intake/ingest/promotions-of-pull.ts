import { countApprovals } from '../../promotion/gates/count-approvals.ts';
import { currentPolicy } from '../../promotion/gates/current-policy.ts';
import type { Policy, Records } from '../../promotion/context/ports.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';

/** A promotion that needs approvals. */
export interface OpenPromotion {
  readonly promotion: PromotionRecord;
  /** Whether approvals are missing, and may still be given. */
  readonly waits: boolean;
  /** It was rejected or cancelled, and has not ended yet. */
  readonly isEnding: boolean;
}

/**
 * The promotions of these commits of a repository that need approvals and have not begun to change their target, by
 * the names of their lanes.
 */
export async function promotionsOfPull(
  { repositoryId, commits }: { readonly repositoryId: number; readonly commits: readonly string[] },
  { store, config }: Records<LaneReads> & Pick<Policy, 'config'>,
): Promise<readonly OpenPromotion[]> {
  const promotions = await Promise.all((await store.openIds()).map((id) => store.promotion(id)));
  return promotions
    .filter((promotion) => promotion !== undefined)
    .filter(({ task }) => task.repository.id === repositoryId && commits.includes(task.commit))
    .filter(({ state }) => state === 'queued' || state === 'active')
    .filter(({ step, intent }) => ['resolve', 'promote'].includes(step.name) && intent === undefined)
    .flatMap((promotion) => {
      const rules = currentPolicy(promotion.task, config);
      if (rules === undefined) return [];
      const { given, needed } = countApprovals(promotion, rules);
      const isEnding = promotion.cancel !== undefined;
      return needed === 0 ? [] : [{ promotion, waits: !isEnding && given.length < needed, isEnding }];
    })
    .toSorted((a, b) => (laneOf(a.promotion) < laneOf(b.promotion) ? -1 : 1));
}

/** The name of a promotion's lane. */
export const laneOf = ({ task }: Pick<PromotionRecord, 'task'>): string => task.lane.name;
