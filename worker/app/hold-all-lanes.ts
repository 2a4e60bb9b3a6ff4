import { randomUUID } from 'node:crypto';
import { workerTokenName } from '../../lib/config/worker/operator-schema.ts';
import type { Clock } from '../../lib/core/ports/ports.ts';
import type { RedisAddress } from '../../lib/redis/address/redis-address.ts';
import { connectRedis } from '../../lib/redis/connection/redis-connection.ts';
import { recordFormat } from '../records/record-format.ts';
import { defaultSettings } from '../settings/settings.ts';
import { keysUnder } from '../store/scripts/keys.ts';
import { isOnDisk } from '../store/recovery/on-disk.ts';
import { toJson } from '../../lib/redis/scripts/lua-script.ts';
import { holdAll } from '../store/lanes/hold-all.ts';
import { refuseNewer, refuseTooOld } from './refuse-other-formats.ts';

/**
 * Holds every lane until a person resumes it, including lanes that the records do not have yet. Call it after a
 * backup was restored and before workers start. Returns the lanes in the records, and whether the holds are on the
 * disk of Redis (null if Redis does not say). `dryRun`: changes nothing. Throws Failure 'records-newer' and
 * 'records-too-old', and errors of Redis.
 */
export async function holdAllLanes(
  { address, clock }: { readonly address: RedisAddress; readonly clock: Clock },
  { reason, dryRun }: { readonly reason: string; readonly dryRun: boolean },
): Promise<{ readonly lanes: readonly string[]; readonly durable: boolean | null }> {
  const keys = keysUnder(defaultSettings.prefix);
  const redis = connectRedis({ address, role: 'probe', name: 'millrace-hold-all' });
  try {
    await refuseNewer(redis, keys, recordFormat);
    await refuseTooOld(redis, keys);
    const [now, by, via] = [clock.now(), workerTokenName, 'command-line'] as const;
    const hold = toJson({ cause: 'manual', by, via, reason, since: now });
    const common = { prefix: keys.prefix, now, format: recordFormat };
    const input = { ...common, hold, fresh: randomUUID(), by, via, dryRun };
    const lanes = (await holdAll(redis, [keys.state], input)).toSorted();
    const kept = dryRun || (await isOnDisk(redis, keys, { call: undefined, replicas: 0 }));
    return { lanes, durable: kept ?? null };
  } finally {
    redis.disconnect();
  }
}
