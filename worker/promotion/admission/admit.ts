import { createHash } from 'node:crypto';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { Queues, Records } from '../context/ports.ts';
import type { Admission } from '../../store/admission.ts';
import type { Acceptance, Accepted } from '../../store/lanes/acceptance.ts';

/**
 * Accepts a version into a lane. In the same step, creates the job of the promotion that now has the lane; then
 * enqueues the rest. A crash in between loses nothing, because the reconciler finds promotions without a job.
 */
export async function admit(
  acceptance: Acceptance,
  { store, queues }: Records<Admission & LaneReads> & Queues,
): Promise<Accepted> {
  const accepted = await store.accept(acceptance, { enqueues: true });
  if (accepted.status !== 'accepted') return accepted;
  const { promotionId } = acceptance;
  // A promotion that has the lane has nothing to report yet.
  const waiting = accepted.started === promotionId ? [] : [promotionId];
  for (const id of new Set([...waiting, ...accepted.touched])) {
    const promotion = await store.promotion(id);
    if (promotion === undefined) continue;
    if (promotion.report.seq > promotion.report.sent) await queues.addReport(id, promotion.report.seq);
    // It was cancelled.
    if (promotion.state === 'active' && promotion.cancel !== undefined) await queues.expediteAdvance(id);
  }
  if (accepted.started === '') await expediteWaiting(acceptance.task.lane.id, { store, queues });
  return accepted;
}

/** A promotion that waits at a gate is superseded by a newer one: advance it now. */
async function expediteWaiting(lane: string, { store, queues }: Records<LaneReads> & Queues): Promise<void> {
  const active = (await store.lane(lane))?.active;
  const promotion = active === undefined ? undefined : await store.promotion(active);
  if (promotion?.step.name === 'promote' && promotion.intent === undefined)
    await queues.expediteAdvance(promotion.id);
}

/**
 * The id of the promotion that a cause creates in a lane. The same cause gives the same id, so that the promotion
 * is created once.
 */
export function promotionIdOf(lane: string, cause: string): string {
  return createHash('sha256').update(`${lane}\n${cause}`).digest('hex').slice(0, 20);
}
