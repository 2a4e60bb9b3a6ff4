import type { Via } from '../records/audit-entry.ts';
import { admit, promotionIdOf } from './admit.ts';
import type { Engine } from './engine.ts';

export type Retried =
  | { readonly status: 'retried'; readonly promotion: string }
  | { readonly status: 'unknown' | 'not-finished' | 'lost' }
  /** `promotion`: the earlier retry. */
  | { readonly status: 'retried-before'; readonly promotion: string };

/** Creates a new promotion of the same commit: it passes through all gates again, without the old approvals. */
export async function retryPromotion(
  id: string,
  { by, via }: { readonly by: string; readonly via: Via },
  engine: Pick<Engine, 'store' | 'queues' | 'live'>,
): Promise<Retried> {
  const promotion = await engine.store.promotion(id);
  if (promotion === undefined) return { status: 'unknown' };
  if (promotion.state !== 'finished') return { status: 'not-finished' };
  const promotionId = promotionIdOf(promotion.lane, `retry of ${id}`);
  const plan = { ...promotion.plan, retry: { of: id, by } };
  const audit = { by, via, act: 'retry', data: JSON.stringify({ of: id }) } as const;
  const accepted = await admit(
    { promotionId, plan, order: 'any', head: { field: '', value: '' }, audit },
    engine,
  );
  if (accepted.status === 'lost') return { status: 'lost' };
  return { status: accepted.status === 'accepted' ? 'retried' : 'retried-before', promotion: promotionId };
}
