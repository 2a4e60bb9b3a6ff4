import { workerName } from '../../lib/config/operator-schema.ts';
import type { GivenHold } from './lane-record.ts';

/** The hold of a lane of which nobody knows any more what it had accepted and verified (promise 11). */
export function stateLost(now: number): GivenHold {
  return {
    cause: 'state-lost',
    by: workerName,
    via: 'worker',
    why: 'state-lost: what this lane had accepted and verified is no longer known; look at what is live, then release it',
    since: now,
  };
}
