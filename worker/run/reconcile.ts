import type { Engine } from './engine.ts';

/**
 * Makes anew what jobs were lost: every run that is not over has a turn to come, every end that GitHub has not heard
 * of a report, every idle lane its next run. Adding a job that is there changes nothing.
 */
export async function reconcile({ store, queues, clock, settings }: Engine): Promise<void> {
  for (const lane of await store.laneIds()) {
    await store.wake(lane);
  }
  for (const id of await store.openIds()) {
    const run = await store.run(id);
    if (run === undefined) continue;
    if (run.state === 'active' || run.state === 'following') await queues.addTurn(id);
    if (run.report.seq > run.report.sent) await queues.addReport(id, run.report.seq);
    else await store.close(id);
  }
  await store.forget(clock.now() - settings.keepRunsMs);
}
