import { workerName } from '../../../lib/config/worker/operator-schema.ts';
import type { GivenHold } from '../lanes/lane-record.ts';

/** The hold of a lane whose records were lost, so that its accepted and verified versions are unknown (promise 11). */
export function stateLost(now: number): GivenHold {
  return {
    cause: 'state-lost',
    by: workerName,
    via: 'worker',
    reason:
      'state-lost: Redis lost the records of this lane, so the worker does not know what the lane accepted and verified; check which version is live, then resume the lane',
    since: now,
  };
}
