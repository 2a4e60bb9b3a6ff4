import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { workerTokenName } from '../../lib/config/operator-schema.ts';
import type { Clock } from '../../lib/core/ports.ts';
import { recordFormat } from '../records/record-format.ts';
import type { Keys } from './keys.ts';
import { toJson } from './lua-script.ts';
import { holdAll } from './scripts/hold-all.ts';

/**
 * Holds every lane until a person resumes it, also those that the records do not have: for a backup that was restored, before
 * workers start. Returns the lanes of the records. `dryRun`: changes nothing.
 */
export async function holdAllLanes(
  { redis, keys, clock }: { readonly redis: Redis; readonly keys: Keys; readonly clock: Clock },
  { reason, dryRun }: { readonly reason: string; readonly dryRun: boolean },
): Promise<readonly string[]> {
  const [now, by, via] = [clock.now(), workerTokenName, 'command-line'] as const;
  const hold = toJson({ cause: 'manual', by, via, reason, since: now });
  const common = { prefix: keys.prefix, now, format: recordFormat };
  const lanes = await holdAll(redis, [keys.state], { ...common, hold, fresh: randomUUID(), by, via, dryRun });
  return lanes.toSorted();
}
