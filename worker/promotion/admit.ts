import { createHash } from 'node:crypto';
import type { Engine } from './engine.ts';
import type { Acceptance, Accepted } from '../store/lane-store.ts';

/**
 * Takes a version into a lane and sets to work what follows from it. A crash in between loses nothing: the
 * reconciler finds promotions without a job.
 */
export async function admit(
  acceptance: Acceptance,
  { store, queues, live }: Pick<Engine, 'store' | 'queues' | 'live'>,
): Promise<Accepted> {
  const accepted = await store.accept(acceptance);
  if (accepted.status !== 'accepted') return accepted;
  // What is live in the target of a new lane is asked at once.
  const { project, to } = acceptance.plan.lane;
  await live.register([{ project, environment: to }]);
  if (accepted.started !== '') await queues.enqueueAdvance(accepted.started);
  for (const id of new Set([acceptance.promotionId, ...accepted.touched])) {
    const promotion = await store.promotion(id);
    if (promotion === undefined) continue;
    if (promotion.report.seq > promotion.report.sent) await queues.addReport(id, promotion.report.seq);
    // It was told to end.
    if (promotion.state === 'active' && promotion.cancel !== undefined) await queues.expediteAdvance(id);
  }
  if (accepted.started === '') await expediteWaiting(acceptance.plan.lane.id, { store, queues });
  return accepted;
}

/** A promotion that waits at a gate gives way to a newer one: it must hear of it now. */
async function expediteWaiting(
  lane: string,
  { store, queues }: Pick<Engine, 'store' | 'queues'>,
): Promise<void> {
  const active = (await store.lane(lane))?.active;
  const promotion = active === undefined ? undefined : await store.promotion(active);
  if (promotion?.step.name === 'promote' && promotion.intent === undefined)
    await queues.expediteAdvance(promotion.id);
}

/** The id of the promotion that something makes in a lane: the same for the same cause, so that it is made once. */
export function promotionIdOf(lane: string, cause: string): string {
  return createHash('sha256').update(`${lane}\n${cause}`).digest('hex').slice(0, 20);
}
