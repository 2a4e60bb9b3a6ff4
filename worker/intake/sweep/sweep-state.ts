import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import type { HookPlace } from '../../../lib/github/endpoints/hooks.ts';
import type { Keys } from '../../store/scripts/keys.ts';
import { deleteIfEqual } from '../../store/scripts/own-key.ts';
import { createLease } from './lease.ts';
import { loadScript, type Script, statusIn } from '../../../lib/redis/scripts/lua-script.ts';

interface ClaimArguments {
  /** The number of requests when the caller read the record. */
  readonly times: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly keepSeconds: number;
}

/** Records a redelivery request, unless another worker has recorded one. Key: the requests for the delivery. */
const claimDelivery: Script<ClaimArguments, 'mine' | 'taken'> = loadScript(
  import.meta.dirname,
  'claim-delivery.lua',
  statusIn('mine', 'taken'),
);

/** How far the list of deliveries was read. Times in milliseconds since the epoch. */
export interface Walk {
  /** All deliveries up to here are handled; 0 if none is. */
  readonly since: number;
  /** Where a walk that was too long for one sweep continues; '' for the newest. */
  readonly cursor: string;
  /** The newest delivery when this walk started. */
  readonly newest: number;
  /** The identity of the records when the walk started. If the records were lost since, the list is read again. */
  readonly era: string;
}

/** A request to GitHub to redeliver one delivery. */
export interface RedeliveryRequest {
  readonly times: number;
  readonly at: number;
}

/** The id of the records in Redis, which changes if they are lost (`state/`). */
export interface RecordsIdentity {
  readonly id: string;
  /** They were rebuilt after a loss: what had been ingested before is not known. */
  readonly lost: boolean;
}

/** The recovery source of a repository: how its missed pushes are found. */
export type RecoverySource =
  | { readonly kind: 'app-deliveries' | 'hook-deliveries'; readonly place: HookPlace }
  /**
   * `no-rights`: the token may not see the deliveries. `no-hook`: no webhook of the repository sends pushes to
   * the worker.
   */
  | { readonly kind: 'heads'; readonly reason: 'no-rights' | 'no-hook'; readonly place?: undefined };

type SourceKey = number | 'app';

interface FoundSource {
  readonly source: RecoverySource;
  readonly at: number;
}

/** The state of sweeps, shared by all workers. */
export interface SweepState {
  /** Undefined if the records are lost and no worker has handled that yet. */
  recordsIdentity(): Promise<RecordsIdentity | undefined>;
  walk(place: string): Promise<Walk>;
  saveWalk(place: string, walk: Walk): Promise<void>;
  /** Which of the deliveries are in our records. */
  knownDeliveries(guids: readonly string[]): Promise<ReadonlySet<string>>;
  redeliveryRequest(guid: string): Promise<RedeliveryRequest | undefined>;
  saveRedeliveryRequest(guid: string, redeliveryRequest: RedeliveryRequest | undefined): Promise<void>;
  /** Records a request now; false if another worker recorded one since `before` was read. */
  claim(guid: string, before: RedeliveryRequest | undefined, at: number): Promise<boolean>;
  /**
   * Since when these records exist: they cannot contain earlier deliveries. 0 after a loss, because they should contain
   * those.
   */
  bornAt(now: number): Promise<number>;
  /** The last request for a sweep: its time and the repository that it is about, if only one is; undefined if there is none to handle. */
  sweepRequest(): Promise<string | undefined>;
  /** Marks that request as handled; a newer one stays. */
  clearSweepRequest(sweepRequest: string | undefined): Promise<void>;
  /** When the last successful sweep began (0: none), and when the next one is due. */
  times(): Promise<{ readonly last: number; readonly next: number }>;
  saveTimes(times: { readonly last?: number; readonly next: number }): Promise<void>;
  /** When the refs of a repository were compared last; 0 if they are to be compared now. */
  lastComparison(repositoryId: number): Promise<number>;
  saveComparison(repositoryId: number, at: number): Promise<void>;
  /** Runs the work in one worker at a time; undefined if another worker does it. */
  runExclusive<T>(work: () => Promise<T>): Promise<T | undefined>;
  /** The recovery source that was found for a repository or, as `app`, for all of an App. */
  recoverySource(key: SourceKey): Promise<FoundSource | undefined>;
  /** Records the recovery source of a repository. True if it changed. */
  saveSource(repositoryId: number, source: FoundSource & { readonly key: SourceKey }): Promise<boolean>;
  /** When each repository was read last; without repositories that were never read. */
  readTimes(): Promise<ReadonlyMap<number, number>>;
  saveReadTimes(repositoryIds: readonly number[], at: number): Promise<void>;
  /** When the deliveries of a webhook were read last, to the end; 0 if never. */
  lastRead(place: string): Promise<number>;
  saveRead(place: string, at: number): Promise<void>;
}

const placeSchema = z.union([
  z.object({ kind: z.literal('app') }),
  z.object({ kind: z.literal('repository'), fullName: z.string(), hook: z.int() }),
]);
const foundSource = z.object({
  source: z.union([
    z.object({ kind: z.enum(['app-deliveries', 'hook-deliveries']), place: placeSchema }),
    z.object({ kind: z.literal('heads'), reason: z.enum(['no-rights', 'no-hook']) }),
  ]),
  at: z.number(),
});

/** Milliseconds after which another worker takes over from one that died during a sweep. */
const leaseMs = 8_000;
const redeliveryTtlSeconds = 5 * 86_400;

export function createSweepState(redis: Redis, keys: Keys, clock: Clock): SweepState {
  const walkKey = (place: string): string => `${keys.sweep}:walk:${place}`;
  const redeliveryKey = (guid: string): string => `${keys.sweep}:asked:${guid}`;
  async function readIdentity(): Promise<RecordsIdentity | undefined> {
    const id = await redis.get(keys.state);
    return id === null ? undefined : { id, lost: id.startsWith('lost-') };
  }
  return {
    recordsIdentity: readIdentity,
    async walk(place) {
      const now = (await readIdentity())?.id ?? '';
      const { since, cursor = '', newest, era = '' } = await redis.hgetall(walkKey(place));
      if (era !== now) return { since: 0, cursor: '', newest: 0, era: now };
      return { since: Number(since ?? 0), cursor, newest: Number(newest ?? 0), era };
    },
    async saveWalk(place, walk) {
      await redis.hset(walkKey(place), { ...walk });
    },
    async knownDeliveries(guids) {
      const pipeline = redis.pipeline();
      for (const guid of guids) pipeline.exists(keys.delivery(guid));
      const answers = (await pipeline.exec()) ?? [];
      return new Set(guids.filter((_, i) => answers[i]?.[1] === 1));
    },
    async redeliveryRequest(guid) {
      const { times, at } = await redis.hgetall(redeliveryKey(guid));
      return times === undefined ? undefined : { times: Number(times), at: Number(at) };
    },
    async saveRedeliveryRequest(guid, redeliveryRequest) {
      if (redeliveryRequest === undefined) return void (await redis.del(redeliveryKey(guid)));
      await redis
        .multi()
        .hset(redeliveryKey(guid), { ...redeliveryRequest })
        .expire(redeliveryKey(guid), redeliveryTtlSeconds)
        .exec();
    },
    async claim(guid, before, at) {
      const times = before?.times ?? 0;
      const claim = { times, at, keepSeconds: redeliveryTtlSeconds };
      return (await claimDelivery(redis, [redeliveryKey(guid)], claim)) === 'mine';
    },
    async bornAt(now) {
      if ((await readIdentity())?.lost === true) return 0;
      await redis.setnx(`${keys.sweep}:born`, now);
      return Number(await redis.get(`${keys.sweep}:born`));
    },
    sweepRequest: async () => (await redis.get(keys.sweepRequested)) ?? undefined,
    async clearSweepRequest(sweepRequest) {
      if (sweepRequest !== undefined)
        await deleteIfEqual(redis, [keys.sweepRequested], { value: sweepRequest });
    },
    async times() {
      const { last, next } = await redis.hgetall(`${keys.sweep}:times`);
      return { last: Number(last ?? 0), next: Number(next ?? 0) };
    },
    async saveTimes(times) {
      await redis.hset(`${keys.sweep}:times`, { ...times });
    },
    lastComparison: async (repositoryId) =>
      Number((await redis.hget(keys.comparisons, String(repositoryId))) ?? 0),
    async saveComparison(repositoryId, at) {
      await redis.hset(keys.comparisons, String(repositoryId), at);
    },
    runExclusive: createLease(redis, `${keys.sweep}:alone`, leaseMs, clock).runExclusive,
    async recoverySource(key) {
      const text = await redis.hget(`${keys.sweep}:found-sources`, String(key));
      return text === null ? undefined : foundSource.safeParse(JSON.parse(text)).data;
    },
    async saveSource(repositoryId, { key, source, at }) {
      await redis.hset(`${keys.sweep}:found-sources`, String(key), JSON.stringify({ source, at }));
      const before = await redis.hget(keys.recoverySources, String(repositoryId));
      if (before === source.kind) return false;
      await redis.hset(keys.recoverySources, String(repositoryId), source.kind);
      return true;
    },
    async readTimes() {
      const all = Object.entries(await redis.hgetall(`${keys.sweep}:looks`));
      return new Map(all.map(([id, at]) => [Number(id), Number(at)]));
    },
    async saveReadTimes(repositoryIds, at) {
      if (repositoryIds.length === 0) return;
      await redis.hset(`${keys.sweep}:looks`, ...repositoryIds.flatMap((id) => [String(id), at]));
    },
    lastRead: async (place) => Number((await redis.hget(`${keys.sweep}:reads`, place)) ?? 0),
    async saveRead(place, at) {
      await redis.hset(`${keys.sweep}:reads`, place, at);
    },
  };
}
