import { readPlan } from './faults/read-plan.ts';
import { readLedger } from './ledger.ts';
import type { Platform } from './platform.ts';
import type { World } from './world.ts';

/** The same as under `/_platform`, for a program that started the platform itself. */
export function describeHappenings(world: World): Pick<Platform, 'faults' | 'ledger' | 'requests'> {
  const { faults, requests, store } = world;
  return {
    faults: {
      set: (plan) => faults.set(readPlan(plan)),
      add: (plan) => faults.add(readPlan(plan)),
      clear: () => faults.clear(),
      list: () => faults.list(),
    },
    ledger: (filter) => readLedger(store, filter),
    // Copies: what is still open goes on changing.
    requests: () => ({
      counts: requests.counts(),
      requests: requests.list().map((entry) => ({ ...entry })),
    }),
  };
}
