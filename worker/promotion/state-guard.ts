import type { Policy, StateKnowledge, Telemetry, Timing } from './context/ports.ts';
import { messageOf } from '../../lib/core/errors/message-of.ts';
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { version } from '../../lib/core/values/version.ts';
import { toJson } from '../../lib/redis/scripts/lua-script.ts';
import { newerFormatIn } from '../store/scripts/newer-format.ts';
import { stateLost } from '../store/recovery/state-lost.ts';
import { claim } from '../store/recovery/rebuild.ts';

/** Checks whether the records in Redis are still the ones that this worker has worked on. */
export interface StateGuard {
  /**
   * Checks that the records exist. If they were lost, starts to rebuild the lanes, on hold, and continues a
   * rebuild that is not finished. After a restart of Redis, compares the records with the journals of the workers and with what
   * happened, and holds the lanes that disagree. Returns whether that is done. Throws errors of Redis, and NewerFormat.
   */
  check(): Promise<boolean>;
  /** Learns which records there are, so that this worker notices an older state from now on. */
  begin(): Promise<void>;
  /** Whether the lanes of a repository are not rebuilt yet: until then no promotion may run in them. */
  isRebuilding(repositoryId: number): Promise<boolean>;
}

export interface StateGuardOptions {
  readonly redis: Redis;
  readonly ports: Pick<Policy, 'settings'> &
    Pick<Timing, 'clock'> &
    StateKnowledge &
    Pick<Telemetry, 'metrics' | 'logger'>;
  /** What an empty Redis at the start of the worker means: worker.yaml, `empty-redis`. */
  readonly emptyMeans: 'new' | 'lost';
  readonly repositories: () => readonly number[];
  /** Rebuilds the lanes of a repository, on hold. */
  readonly rebuild: (repositoryId: number) => Promise<void>;
  /** Compares the lanes that are not compared since Redis was restarted; returns how many are left. */
  readonly compare: () => Promise<number>;
}

/**
 * Stores a marker with the records. A Redis that was emptied, or that came back without its data, has no marker or
 * another one. Lanes must not continue then, because it is unknown what they have accepted and verified.
 */
export function createStateGuard(options: StateGuardOptions): StateGuard {
  const { redis, ports, emptyMeans, repositories, rebuild, compare } = options;
  const { prefix } = ports.settings;
  const left = `${prefix}:rebuilding`;
  let knownMarker = '';
  let working: Promise<number> | undefined;

  /** Answers whether the lanes of a repository are not rebuilt yet. */
  async function checkMarker(repositoryId?: number): Promise<boolean> {
    const now = ports.clock.now();
    const served = repositories();
    const { marker, status, raised, isRebuilding } = await claim(redis, [`${prefix}:state`], {
      prefix,
      now,
      format: ports.format.known,
      version,
      known: knownMarker,
      fresh: randomUUID(),
      emptyMeans,
      hold: toJson(stateLost(now)),
      repositories: served.map(String),
      repository: repositoryId?.toString(),
    }).catch(throwNewer);
    ports.format.onKnown();
    if (raised !== undefined)
      ports.logger.info('The worker has raised the format of the records; older workers leave them to it.', {
        format: ports.format.known,
        earlier_format: raised,
      });
    knownMarker = marker;
    ports.memory.follow(marker);
    if (status !== 'lost') return isRebuilding;
    ports.metrics.stateLost.inc();
    ports.logger.error(
      'The records in Redis are lost. The worker rebuilds all lanes and holds each one until an operator resumes it.',
      {
        repositories: served.length,
      },
    );
    return isRebuilding;
  }

  function throwNewer(error: unknown): never {
    const newer = newerFormatIn(error);
    if (newer === undefined) throw error;
    ports.format.onNewer(newer.format);
    throw newer;
  }

  async function compareJournals(): Promise<boolean> {
    return ports.journals.compare().catch(throwNewer);
  }

  async function rebuildAll(): Promise<void> {
    for (const id of await redis.smembers(left)) {
      try {
        await rebuild(Number(id));
        await redis.srem(left, id);
      } catch (error) {
        ports.logger.warn('Rebuilding the lanes of a repository failed; no promotion runs in them.', {
          repository_id: id,
          error: messageOf(error),
        });
      }
    }
  }

  return {
    async check() {
      await checkMarker();
      const isCompared = await compareJournals();
      working ??= rebuildAll()
        .then(compare)
        .finally(() => (working = undefined));
      return (await working) === 0 && isCompared;
    },
    async begin() {
      await checkMarker();
      await compareJournals();
    },
    isRebuilding: checkMarker,
  };
}
