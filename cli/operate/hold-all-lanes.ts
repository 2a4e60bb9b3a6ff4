import { keptIn, notKeptText } from '../../worker/records/not-kept-text.ts';
import type { Session } from '../kit/session.ts';

/**
 * Holds every lane in the Redis of MILLRACE_REDIS_URL, or in the embedded Redis. Warns if the holds are not saved
 * to disk. Works while no worker runs. Throws Failure 'records-newer' and 'records-too-old', and what an unusable
 * Redis throws.
 */
export async function holdAllLanes(
  { io, settings, output }: Session,
  hold: { readonly reason: string; readonly dryRun: boolean },
): Promise<{ readonly lanes: readonly string[]; readonly durable: boolean | null }> {
  const { openRedis } = await import('../worker/open-redis.ts');
  const worker = await import('../../worker/app/hold-all-lanes.ts');
  const { address, close } = await openRedis(io, settings.redisUrl, output.logger);
  try {
    const held = await worker.holdAllLanes({ address, clock: io.clock }, hold);
    const kept = keptIn(held);
    if (kept === 'no' || kept === 'unknown') output.logger.warn(notKeptText[kept]);
    return held;
  } finally {
    await close();
  }
}
