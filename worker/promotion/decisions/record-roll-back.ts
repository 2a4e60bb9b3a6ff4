import type { LaneStore } from '../../store/lane-store.ts';
import type { Engine } from '../context/engine.ts';

/** Records that a version was disabled in a lane's target, and reports it on the commits that had it as a success. */
export async function recordRollBack(
  lane: string,
  rolledBack: Parameters<LaneStore['rolledBack']>[1],
  { store, queues }: Pick<Engine, 'store' | 'queues'>,
): Promise<void> {
  for (const id of await store.rolledBack(lane, rolledBack)) {
    const promotion = await store.promotion(id);
    if (promotion !== undefined) await queues.addReport(id, promotion.report.seq);
  }
}
