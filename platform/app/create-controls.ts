import { Failure } from '../../lib/core/errors/failure.ts';
import { readPlan } from '../faults/read-plan.ts';
import { readLedger } from '../world/ledger.ts';
import type { Platform } from '../world/platform.ts';
import { resetWorld } from '../planting/reset-world.ts';
import { duration } from '../clock/duration.ts';
import type { World } from '../world/world.ts';

/** The functions of `/_platform` for a program that started the platform in its own process. */
export function createControls(
  world: World,
): Pick<Platform, 'faults' | 'ledger' | 'requests' | 'clock' | 'reset'> {
  const { faults, requests, store, clock } = world;
  return {
    faults: {
      set: (plan) => faults.set(readPlan(plan)),
      add: (plan) => faults.add(readPlan(plan)),
      clear: () => faults.clear(),
      list: () => faults.list(),
    },
    ledger: (filter) => readLedger(store, filter),
    // Copies, because an open request still changes.
    requests: () => ({
      counts: requests.counts(),
      requests: requests.list().map((entry) => ({ ...entry })),
    }),
    clock: {
      now: () => clock.now(),
      freeze: () => clock.freeze(),
      resume: () => clock.resume(),
      advance: async (by) => clock.advance(readTime(by)),
    },
    reset: () => resetWorld(world),
  };
}

function readTime(by: number | string): number {
  const checked = duration.safeParse(by);
  if (checked.success) return checked.data;
  throw new Failure('config-invalid', {
    message: `"${String(by)}" is not a duration.`,
    hint: 'Give milliseconds, or a duration such as 50ms, 2s, 5m, 2h or 90d.',
    where: { input: 'clock' },
  });
}
