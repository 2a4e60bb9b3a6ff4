import type { Canaries } from '../health/canaries.ts';
import { queueNames } from '../queue/work-queues.ts';
import type { Engine } from '../run/engine.ts';

/** The text of `/metrics`; what changes without an event of this worker is read now. */
export async function showMetrics(engine: Engine, canaries: Canaries): Promise<string> {
  const { metrics, queues, deadLetters, store } = engine;
  for (const queue of Object.values(queueNames)) {
    metrics.canaryAge.set({ queue }, canaries.age(queue) / 1_000);
  }
  for (const { queue, state, jobs } of await queues.counts()) metrics.queueJobs.set({ queue, state }, jobs);
  metrics.deadLetters.set(await deadLetters.count());
  const lanes = { held: 0, active: 0, idle: 0 };
  for (const lane of await Promise.all((await store.laneIds()).map((id) => store.lane(id)))) {
    if (lane !== undefined && lane.holds.length > 0) lanes.held += 1;
    else if (lane?.active === undefined) lanes.idle += 1;
    else lanes.active += 1;
  }
  for (const [state, count] of Object.entries(lanes)) metrics.lanes.set({ state }, count);
  return metrics.registry.metrics();
}
