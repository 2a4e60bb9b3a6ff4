import { workerName } from '../../lib/config/operator-schema.ts';
import type { GivenHold } from './lane-record.ts';

/** The hold of a lane whose accepted and verified versions are no longer known (promise 11). */
export function stateLost(now: number): GivenHold {
  return {
    cause: 'state-lost',
    by: workerName,
    via: 'worker',
    reason:
      'state-lost: what this lane had accepted and verified is no longer known; check what is live, then resume the lane',
    since: now,
  };
}
