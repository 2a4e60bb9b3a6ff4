import { admit, promotionIdOf } from './admit.ts';
import type { Engine } from './engine.ts';
import type { PromotionRecord } from '../records/promotion-record.ts';

/**
 * Hands a verified version on to the lanes that come after. Saying it again makes no second run: its id follows from
 * this one's, and a lane takes only what is newer than what it took last.
 */
export async function follow(promotion: PromotionRecord, engine: Engine): Promise<void> {
  const { plan, version = '' } = promotion;
  for (const lane of plan.lane.next) {
    const { status } = await admit(
      {
        promotionId: promotionIdOf(lane.id, promotion.id),
        plan: { ...plan, lane, version: { kind: 'named', name: version } },
        order: 'greater',
        head: { field: `after:${plan.lane.name}`, value: String(promotion.seq) },
      },
      engine,
    );
    if (status === 'lost') throw new Error('the records were lost; the lanes are made anew first');
  }
  await engine.store.followed(promotion.id);
}
