import type { RunRecord } from '../../../worker/records/run-record.ts';
import type { Scene } from './scene.ts';
import { untilReached } from './until.ts';

/** All runs that there are, oldest first. */
export async function runsIn({ store }: Scene): Promise<RunRecord[]> {
  const runs = await Promise.all((await store.runIds(100_000)).map((id) => store.run(id)));
  return runs.filter((run) => run !== undefined).toReversed();
}

/**
 * Waits until no run needs anybody any more: each is over, and GitHub has heard of it.
 *
 * @param stillMs so long nothing may change
 */
export async function untilQuiet(scene: Scene, stillMs = 60_000): Promise<void> {
  await untilReached(
    'every run is over and reported',
    async () => {
      const [open, all] = await Promise.all([scene.store.openIds(), scene.store.runIds(100_000)]);
      return open.length === 0 || `${all.length} runs, of which ${open.join(' ')}`;
    },
    stillMs,
  );
}

/** Lets every held lane go, as an operator does who has looked; gives how many there were. */
export async function releaseAll(
  scene: Scene,
  ask: (path: string, body: unknown) => Promise<unknown>,
): Promise<number> {
  let released = 0;
  for (const id of await scene.store.laneIds()) {
    const holds = ((await scene.store.lane(id))?.holds ?? []).map((hold) => hold.id);
    if (holds.length === 0) continue;
    await ask(`lanes/${encodeURIComponent(id)}/release`, { holds });
    released += 1;
  }
  return released;
}
