import { namedFiles } from '../store/named-files.ts';
import { plantSeed } from './plant-seed.ts';
import type { World } from '../world/world.ts';

/**
 * As after the first start: the seed is planted again with the same ids and tokens, the clock is the machine's, the
 * faults are those of the start, seeded ids begin again. Nothing in it waits, so no request sees half of it.
 */
export function resetWorld(world: World): void {
  const { store, clock, ids, seed } = world;
  world.executions.reset();
  clock.reset();
  ids.restart();
  store.transaction(() => {
    store.clear();
    plantSeed({ store, files: world.files, now: clock.now() }, seed, ids);
  });
  world.files.keepOnly(namedFiles(store));
  world.streaming.reset();
  world.faults.set(world.firstFaults);
  world.requests.clear();
}
