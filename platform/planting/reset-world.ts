import { namedFiles } from '../store/named-files.ts';
import { plantSeed } from './plant-seed.ts';
import type { World } from '../world/world.ts';

/**
 * Resets the platform to its state after the first start: plants the seed again with the same ids and tokens, and
 * resets the clock, the faults and seeded ids. It is synchronous, so that no request sees a partial reset.
 */
export function resetWorld(world: World): void {
  const { store, clock, ids, seed } = world;
  world.executions.reset();
  world.captures.reset();
  world.warehouses.reset();
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
