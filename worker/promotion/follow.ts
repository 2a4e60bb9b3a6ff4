import { admit, promotionIdOf } from './admit.ts';
import type { Engine } from './engine.ts';
import type { PromotionRecord } from '../records/promotion-record.ts';

/**
 * Admits a verified version to the lanes that follow. A repetition creates no second promotion: its id derives
 * from this promotion's, and a lane accepts only what is newer than its last promotion.
 */
export async function follow(promotion: PromotionRecord, engine: Engine): Promise<void> {
  const { plan, version = '', artifactCommit } = promotion;
  const named = {
    kind: 'named',
    name: version,
    ...(artifactCommit === undefined ? {} : { commit: artifactCommit }),
  } as const;
  for (const lane of plan.lane.next) {
    const { status } = await admit(
      {
        promotionId: promotionIdOf(lane.id, promotion.id),
        plan: { ...plan, lane, version: named },
        order: 'greater',
        head: { field: `after:${plan.lane.name}`, value: String(promotion.seq) },
      },
      engine,
    );
    if (status === 'lost') throw new Error('the records were lost; the lanes must be rebuilt first');
  }
  await engine.store.finishFollowing(promotion.id);
}
