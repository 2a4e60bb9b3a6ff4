import type { Redis } from 'ioredis';
import type { Engine } from '../promotion/engine.ts';
import { keysUnder } from '../store/keys.ts';
import type { Canaries } from '../store/canaries.ts';

export interface HealthAnswer {
  readonly status: 200 | 503;
  readonly body: unknown;
}

/** A Redis that takes longer is as good as none. */
const redisTimeoutMs = 1_500;

/** Whether this process does its work. 503: start it anew. Redis does not count: a restart would not mend that. */
export function liveness(canaries: Canaries): HealthAnswer {
  const stuck = canaries.stuck();
  if (stuck.length === 0) return { status: 200, body: { live: true } };
  return { status: 503, body: { live: false, why: `no work comes from: ${stuck.join(', ')}` } };
}

/** Ready is who can write: a Redis that answers may still refuse that. 503: send nothing here for now. */
export async function readiness(
  redis: Redis,
  { settings, clock }: Pick<Engine, 'settings' | 'clock'>,
  isStopping: boolean,
): Promise<HealthAnswer> {
  if (isStopping) return { status: 503, body: { ready: false, why: 'stopping' } };
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer')), redisTimeoutMs);
  try {
    const written = redis.set(`${settings.prefix}:ready`, String(clock.now()), 'EX', 60);
    await Promise.race([written, late]);
    const sources = await Promise.race([redis.hvals(keysUnder(settings.prefix).recoverySources), late]);
    // How missed pushes are found, and for how many repositories; their names are nobody's business here.
    const counts = [...Map.groupBy(sources, (source) => source)].map(
      ([source, all]) => [source, all.length] as const,
    );
    return { status: 200, body: { ready: true, recovery: Object.fromEntries(counts) } };
  } catch {
    return { status: 503, body: { ready: false, why: 'Redis does not take writes' } };
  } finally {
    clearTimeout(timer);
  }
}
