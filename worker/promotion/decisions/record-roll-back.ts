import type { GateDecisions } from '../../store/gates/gate-decisions.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { RolledBack } from '../../records/promotion-record.ts';
import type { Queues, Records } from '../context/ports.ts';

/**
 * Records that a version was disabled in a lane's target, and reports it on the commits on which the version was
 * reported as a success.
 */
export async function recordRollBack(
  lane: string,
  rolledBack: RolledBack,
  { store, queues }: Records<GateDecisions & LaneReads> & Queues,
): Promise<void> {
  for (const id of await store.rolledBack(lane, rolledBack)) {
    const promotion = await store.promotion(id);
    if (promotion !== undefined) await queues.addReport(id, promotion.report.seq);
  }
}
