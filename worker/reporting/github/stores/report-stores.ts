import type { Redis } from 'ioredis';
import type { Clock } from '../../../../lib/core/ports/ports.ts';
import type { Keys } from '../../../store/scripts/keys.ts';
import { createEnvironmentOrder, type EnvironmentOrder } from './environment-order.ts';
import { createPostponements, type Postponements } from './postponements.ts';
import { createReportRecords, type ReportRecords } from './sent-updates.ts';

/** The records of the reporter in Redis. */
export interface ReportStores {
  readonly records: ReportRecords;
  readonly postponements: Postponements;
  readonly order: EnvironmentOrder;
}

export function createReportStores(
  redis: Redis,
  keys: Keys,
  { clock, refusedMs }: { readonly clock: Clock; readonly refusedMs: number },
): ReportStores {
  return {
    records: createReportRecords(redis, keys),
    postponements: createPostponements(redis, keys, { clock, refusedMs }),
    order: createEnvironmentOrder(redis, keys, clock),
  };
}
