import { createPlaceFinder } from './find-recovery-source.ts';
import type { SweeperContext } from './sweep.ts';
import { sweepRepositories } from './sweep-repositories.ts';

/** Finds missed pushes. */
export interface Sweeper {
  /** Sweeps if a sweep is due or requested; does nothing while another worker sweeps. */
  tick(): Promise<void>;
}

/** Milliseconds until a failed sweep is retried. */
const afterFaultMs = 30_000;

export function createSweeper(context: SweeperContext): Sweeper {
  const { state, clock } = context;
  const placeFinder = createPlaceFinder(context);
  /** True until this process has swept. */
  let isFirst = true;

  async function sweep(): Promise<void> {
    const now = clock.now();
    // Read before the identity of the records: the worker that finds the records lost requests a sweep, and this sweep may not know
    // of the loss yet.
    const request = await state.sweepRequest();
    const records = await state.recordsIdentity();
    // A sweep without records would record results that hide what must be found after their loss.
    if (records === undefined) return;
    // Reserve the time that this sweep takes, also in case it fails.
    const soon = now + Math.min(context.settings.sweepMs, afterFaultMs);
    await state.saveTimes({ next: soon });
    const { isPending, failed } = await sweepRepositories({
      context,
      placeFinder,
      records,
      isFirst,
      now,
      request,
    });
    isFirst = false;
    const states = await state.readTimes();
    const { repositories } = context.config;
    if (repositories.length > 0)
      context.onSwept(Math.min(...repositories.map(({ id }) => states.get(id) ?? 0)));
    if (!failed)
      await state.saveTimes({ last: now, next: isPending ? soon : now + context.settings.sweepMs });
    // Cleared last: if a worker dies during the sweep, the request must stay.
    await state.clearSweepRequest(request);
  }

  return {
    async tick() {
      // A restart sweeps at once: nothing was swept while no worker ran.
      if (!isFirst && clock.now() < (await state.times()).next && (await state.sweepRequest()) === undefined)
        return;
      await state.runExclusive(sweep);
    },
  };
}
