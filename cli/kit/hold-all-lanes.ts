import type { Session } from './session.ts';

/**
 * Holds every lane of the Redis of MILLRACE_REDIS_URL, or of the embedded one. No worker need run. Returns the ids of the lanes.
 * Throws Failure 'records-newer' and 'records-too-old', and for a Redis that cannot be used.
 */
export async function holdAllLanes(
  { io, settings, output }: Session,
  hold: { readonly reason: string; readonly dryRun: boolean },
): Promise<readonly string[]> {
  const { openRedis } = await import('./open-redis.ts');
  const { connectRedis } = await import('../../lib/redis/redis-connection.ts');
  const { refuseNewer, refuseTooOld } = await import('../../worker/app/refuse-other-formats.ts');
  const { recordFormat } = await import('../../worker/records/record-format.ts');
  const { defaultSettings } = await import('../../worker/settings/settings.ts');
  const store = await import('../../worker/store/hold-all-lanes.ts');
  const { keysUnder } = await import('../../worker/store/keys.ts');
  const { address, close } = await openRedis(io, settings.redisUrl, output.logger);
  const redis = connectRedis({ address, role: 'probe', name: 'millrace-hold-all' });
  try {
    const keys = keysUnder(defaultSettings.prefix);
    await refuseNewer(redis, keys, recordFormat);
    await refuseTooOld(redis, keys);
    return await store.holdAllLanes({ redis, keys, clock: io.clock }, hold);
  } finally {
    redis.disconnect();
    await close();
  }
}
