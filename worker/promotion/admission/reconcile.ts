import { workerName } from '../../../lib/config/worker/operator-schema.ts';
import { finishReplays } from './replay.ts';
import type { LaneControl } from '../../store/lanes/lane-control.ts';
import type { Reporting } from '../../store/reports/reporting.ts';
import type { DeadLetterStore, Policy, Queues, Records, Telemetry, Timing } from '../context/ports.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { Admission } from '../../store/admission.ts';
import type { Retention } from '../../store/lanes/retention.ts';
import { overQueueLimit } from '../context/limits.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';

/** Records read at once. */
const batch = 200;

/**
 * Recreates lost jobs: completes every replay that was begun, enqueues an advance for every open promotion and a
 * report for every end that GitHub has not received, and starts the next promotion of every idle lane. Adding a job
 * that exists changes nothing. `trims`: also trims old histories, which costs two commands for each lane.
 */
export async function reconcile(
  ports: Records<Admission & LaneControl & LaneReads & Reporting & Retention> &
    Pick<Policy, 'config'> &
    Queues &
    Pick<Telemetry, 'metrics'> &
    Pick<Timing, 'clock'> &
    DeadLetterStore,
  { trims = true } = {},
): Promise<void> {
  const { store, queues, clock, config } = ports;
  for (const lanes of inBatches(await store.laneIds())) await store.wake(lanes);
  await finishReplays(ports);
  for (const open of inBatches(await store.openIds())) {
    const due = await store.promotionsToReconcile(open, queues.advanceJobKeys);
    const promotions = await Promise.all(due.map((id) => store.promotion(id)));
    const existing = promotions.filter((promotion) => promotion !== undefined);
    await enqueueAdvances(existing, ports);
    for (const promotion of existing) await reconcilePromotion(promotion, ports);
  }
  const { promotions, audit } = config.keep;
  const now = clock.now();
  await store.forget(now - promotions);
  if (trims) await store.trim({ lanes: now - promotions, audit: now - audit });
}

function* inBatches(ids: readonly string[]): Generator<readonly string[]> {
  for (let i = 0; i < ids.length; i += batch) yield ids.slice(i, i + batch);
}

async function enqueueAdvances(
  promotions: readonly PromotionRecord[],
  { queues, metrics }: Queues & Pick<Telemetry, 'metrics'>,
): Promise<void> {
  const working = promotions.filter(({ state }) => state === 'active' || state === 'following');
  const lost = await queues.withoutAdvanceJob(working.map(({ id }) => id));
  for (const id of lost) {
    await queues.enqueueAdvance(id);
    metrics.recovered.inc({ what: 'advance' });
  }
  // The process that should have expedited it was killed.
  for (const { id, advanceRequested } of working)
    if (advanceRequested && !lost.includes(id)) await queues.expediteAdvance(id);
}

async function reconcilePromotion(
  promotion: PromotionRecord,
  { store, queues, clock }: Records<LaneControl & Reporting> & Queues & Pick<Timing, 'clock'>,
): Promise<void> {
  const late = overQueueLimit(promotion, clock.now());
  if (late !== undefined) await store.cancel(promotion.id, workerName, { via: 'worker', cause: late });
  if (promotion.report.seq > promotion.report.sent)
    await queues.addReport(promotion.id, promotion.report.seq);
  else if (promotion.state === 'finished') await store.close(promotion.id);
}
