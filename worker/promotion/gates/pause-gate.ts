import type { PromotionRecord } from '../../records/promotion-record.ts';
import type { Pauses } from '../../store/gates/pauses.ts';
import type { BlockingGate } from './blocking-gate.ts';

/**
 * The gate of the pause that covers a promotion; undefined if none does. The step that records an intent checks
 * this again.
 */
export async function pauseGate({ task }: PromotionRecord, store: Pauses): Promise<BlockingGate | undefined> {
  const [pause] = await store.pausesOf({ repository: task.repository.id, environment: task.lane.to });
  return pause && { gate: 'pause', text: `Waiting: paused by ${pause.by}: ${pause.reason}` };
}
