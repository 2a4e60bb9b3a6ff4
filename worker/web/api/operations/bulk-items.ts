import { retryIdOf } from '../../../promotion/admission/retry-promotion.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';
import { mayTouch, type Operator } from '../../../operators/operator.ts';
import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type { Records } from '../../../promotion/context/ports.ts';
import { isPassedBy, type LaneRecord } from '../../../store/lanes/lane-record.ts';
import { repositoryOf } from '../../../store/lanes/lane-id.ts';
import type { BulkAction, BulkFilter } from './bulk-filter.ts';
import { describeHold } from './describe-lane.ts';

/** One item of a bulk action: a lane to resume, or a promotion to resolve or to retry. */
export type BulkItem = ReturnType<typeof laneItem> | ReturnType<typeof promotionItem>;

/**
 * The items that a bulk action would change now, in the order of the lanes. An item's `state` is different after
 * the item has changed.
 */
export async function bulkItems(
  action: BulkAction,
  filter: BulkFilter,
  operator: Operator,
  { store }: Records<LaneReads>,
): Promise<readonly BulkItem[]> {
  const ids = (await store.laneIds()).filter((id) => mayTouch(operator, repositoryOf(id)));
  const lanes = (await Promise.all(ids.map((id) => store.lane(id)))).filter((lane) => lane !== undefined);
  const fitting = lanes.filter((lane) => fits(lane, filter));
  const items = await Promise.all(fitting.map(async (lane) => itemsIn(action, lane, filter, store)));
  return items.flat();
}

function fits({ id, name, to }: LaneRecord, { repository, environment, lane }: BulkFilter): boolean {
  return (
    (repository === undefined || repositoryOf(id) === repository) &&
    (environment === undefined || to === environment) &&
    (lane === undefined || id === lane || name === lane)
  );
}

/** The items of one lane. */
export async function itemsIn(
  action: BulkAction,
  lane: LaneRecord,
  filter: Pick<BulkFilter, 'cause' | 'outcomes' | 'since'>,
  store: LaneReads,
): Promise<readonly BulkItem[]> {
  if (action === 'resume') {
    const holds = lane.holds.filter(
      ({ cause, since }) => (filter.cause === undefined || cause === filter.cause) && since >= filter.since,
    );
    return holds.length === 0 ? [] : [laneItem(lane, holds)];
  }
  const ids = action === 'retry' ? [] : lane.holds.map(({ promotion }) => promotion);
  const promotionIds = [...new Set([...ids, lane.lastPromotion])].filter((id) => id !== undefined);
  const promotions = (await Promise.all(promotionIds.map((id) => store.promotion(id))))
    .filter((promotion) => promotion !== undefined)
    .filter(({ state, endedAt }) => state === 'finished' && (endedAt ?? 0) >= filter.since);
  const meant = promotions.filter((promotion) =>
    action === 'retry'
      ? filter.outcomes.includes(promotion.outcome ?? '')
      : promotion.outcome === 'indeterminate' && !isPassedBy(promotion, lane),
  );
  const items = await Promise.all(
    meant.map(async (promotion) => {
      // An older one that was retried and forgotten is not the lane's newest any more.
      const retried = action === 'retry' && (await store.promotion(retryIdOf(promotion)));
      return retried ? [] : [promotionItem(lane, promotion)];
    }),
  );
  return items.flat();
}

function laneItem(lane: LaneRecord, holds: LaneRecord['holds']) {
  return {
    ...placeOf(lane),
    id: lane.id,
    holds: holds.map((hold) => describeHold(hold)),
    state: lane.holds.map(({ id }) => id).join(' '),
  };
}

function promotionItem(
  lane: LaneRecord,
  { id, version, outcome, message, step, intent, task, endedAt }: PromotionRecord,
) {
  return {
    ...placeOf(lane),
    id,
    version: version ?? task.commit.slice(0, 12),
    outcome: outcome ?? null,
    message: message ?? null,
    unknown: intent === undefined ? null : `${intent.effect}: ${intent.what}`,
    state: `${step.name} ${outcome ?? ''} ${endedAt ?? 0} ${lane.lastPromotion ?? ''}`,
  };
}

const placeOf = ({ id, name, repository, to }: LaneRecord) => ({
  lane: id,
  laneName: name,
  repository,
  environment: to,
});
