import type { Redis } from 'ioredis';
import type { Policy, StateKnowledge, Timing } from '../../promotion/context/ports.ts';
import { keysUnder } from '../../store/scripts/keys.ts';
import type { Canaries } from '../../store/jobs/canaries.ts';

export interface HealthAnswer {
  readonly status: 200 | 503;
  readonly body: unknown;
}

/** A slower Redis counts as unreachable. */
const redisTimeoutMs = 1_500;

/**
 * Answers whether this process still processes work; 503 means: restart it. Redis does not count, because a restart
 * would not fix Redis.
 */
export function liveness(canaries: Canaries): HealthAnswer {
  const stuck = canaries.stuck();
  if (stuck.length === 0) return { status: 200, body: { live: true } };
  return {
    status: 503,
    body: { live: false, reason: `these parts of the worker no longer process work: ${stuck.join(', ')}` },
  };
}

/**
 * Answers whether this process can write to Redis; 503 means: send no requests here for now. GitHub's access is
 * shown but does not count, because deliveries and operators are served without it. `accessStates`: one for each
 * repository.
 */
export async function readiness(
  redis: Redis,
  {
    settings,
    clock,
    format,
  }: Pick<Policy, 'settings'> & Pick<Timing, 'clock'> & Pick<StateKnowledge, 'format'>,
  isStopping: boolean,
  accessStates: readonly string[],
): Promise<HealthAnswer> {
  if (isStopping) return { status: 503, body: { ready: false, reason: 'stopping' } };
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer')), redisTimeoutMs);
  try {
    const written = redis.set(`${settings.prefix}:ready`, String(clock.now()), 'EX', 60);
    await Promise.race([written, late]);
    const sources = await Promise.race([redis.hvals(keysUnder(settings.prefix).recoverySources), late]);
    // Numbers of repositories. Without names: this endpoint needs no token.
    return {
      status: 200,
      body: {
        ready: true,
        recovery: countEach(sources),
        github: countEach(accessStates),
        // Ready all the same: it stores webhooks, and the newer worker processes them.
        ...(format.newer === undefined ? {} : { records: { format: format.newer, known: format.known } }),
      },
    };
  } catch {
    return { status: 503, body: { ready: false, reason: 'Redis does not accept writes' } };
  } finally {
    clearTimeout(timer);
  }
}

function countEach(values: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]),
  );
}
