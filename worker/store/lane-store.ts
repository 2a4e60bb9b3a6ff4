import type { Redis } from 'ioredis';
import type { Clock } from '../../lib/core/ports.ts';
import type { Outcome } from '../../lib/core/outcome.ts';
import type { LanePlan } from '../records/plan.ts';
import { readPromotion, type PromotionRecord } from '../records/promotion-record.ts';
import type { Acceptance, Accepted } from './acceptance.ts';
import type { Keys } from './keys.ts';
import { type GivenHold, type LaneRecord, readLane } from './lane-record.ts';
import { createPauses } from './pauses.ts';
import { createPreviews } from './previews.ts';
import { createRetention } from './retention.ts';
import { createReporting, type ReportState } from './reporting.ts';
import { type LiveTarget, targetDigest } from './live-target.ts';
import { toJson } from './lua-script.ts';
import { accept } from './scripts/accept.ts';
import type { CallLaneScript } from './scripts/lane-script.ts';
import { rebuild } from './scripts/rebuild.ts';
import { finishFollowing, promotionsToReconcile, wake } from './scripts/lane-control.ts';
import { begin, record, endAdvance, finish } from './scripts/advance.ts';
import { createLaneControl, type OnEnded } from './lane-control.ts';
import { stateLost } from './state-lost.ts';

/** The right to advance a promotion: its fence shows that no other worker has taken it over. */
export interface AdvanceKey {
  readonly lane: string;
  readonly promotion: string;
  readonly fence: string;
}

/** Conditions that prevent an advance; none by default. */
export interface BeginGuards {
  /** The steps that the caller knows. */
  readonly steps?: readonly string[];
  /** Number of unfinished advances in a row from which the promotion must run alone. */
  readonly quarantineFrom?: number | undefined;
}

export interface BegunAdvance {
  readonly key: AdvanceKey;
  /** The promotion as of the fence. */
  readonly promotion: PromotionRecord;
}

/** Why the promotion cannot be advanced now, and the promotion, if it exists. */
export interface NoAdvance {
  readonly status: 'over' | 'unknown-step' | 'quarantine';
  readonly promotion: PromotionRecord | undefined;
}

export interface Entry {
  readonly kind: 'state' | 'effect' | 'note';
  readonly what: string;
  readonly data?: unknown;
  readonly fields?: Readonly<Record<string, string>>;
  readonly report?: { readonly state: ReportState; readonly text: string } | undefined;
}

export interface PromotionResult {
  readonly outcome: Outcome;
  readonly message: string;
  readonly report: { readonly state: ReportState; readonly text: string };
  /** The version that the lane has verified. */
  readonly verified?: string;
  /** The version whose verification failed: no roll-back goes to it. */
  readonly refuted?: string | undefined;
  /** The environment in which it was verified, or failed. */
  readonly target?: LiveTarget;
  readonly hold?: GivenHold;
  readonly state: 'following' | 'finished';
}

/** The lane and promotion records. Every change is one Lua script; see `scripts/`. */
export type LaneStore = ReturnType<typeof createLaneStore>;

/** Entries of a history read at once. */
const maxHistoryEntries = 2_000;

/** Cancelled promotions in a row after which the next one may finish; otherwise nothing would ever be live. */
const maxCancels = 3;

/**
 * `onEnded` is called for promotions that ended without an advance: superseded, or cancelled while they waited.
 */
export function createLaneStore(redis: Redis, keys: Keys, clock: Clock, onEnded: OnEnded = () => undefined) {
  const superseded = (count: number): void => {
    if (count > 0) onEnded('superseded', count);
  };
  const call: CallLaneScript = (script, given) =>
    script(redis, [keys.lanes], { prefix: keys.prefix, now: clock.now(), ...given });

  return {
    ...createReporting(redis, keys, call),
    ...createLaneControl(redis, keys, call, onEnded),
    ...createPauses(redis, keys, call),
    ...createPreviews(redis, keys),
    ...createRetention(redis, keys),

    async accept({
      promotionId,
      plan,
      order,
      newer,
      head,
      expectedSeq,
      audit,
    }: Acceptance): Promise<Accepted> {
      const { lane, version, repository } = plan;
      const name = version.kind === 'named' ? version.name : plan.commit.slice(0, 12);
      const promotionFields = {
        plan: toJson(plan),
        version: version.kind === 'named' ? version.name : '',
      };
      const laneFields = {
        name: lane.name,
        repository: repository.fullName,
        project: lane.project,
        from: lane.from,
        to: lane.to,
      };
      const answer = await call(accept, {
        lane: lane.id,
        promotion: promotionId,
        policy: lane.policy,
        order,
        newer: newer?.name ?? 'a commit',
        isSameCommit: newer?.isSameCommit ?? false,
        headField: head.field,
        head: head.value,
        expectedSeq,
        maxCancels,
        name,
        lostHold: toJson(stateLost(clock.now())),
        promotionFields,
        laneFields,
        commit: plan.commit,
        audit: audit && { by: audit.by, via: audit.via, act: audit.act, data: audit.data },
      });
      if (answer.status !== 'accepted') return { status: answer.status };
      const { status, seq, started, touched } = answer;
      superseded(answer.superseded);
      return { status, seq, started, touched };
    },

    /** Rebuilds the record of a lane, on hold, with the version that executions use in its target. */
    async rebuild(
      { id, name, project, from, to }: LanePlan,
      repository: string,
      live: { readonly version: string; readonly commit: string } | undefined,
    ): Promise<void> {
      const fields = { name, repository, project, from, to };
      const hold = toJson(stateLost(clock.now()));
      await call(rebuild, { lane: id, hold, live, fields });
    },

    /** Begins an advance: every other advance of the promotion is fenced off from now on. */
    async beginAdvance(
      { id }: Pick<PromotionRecord, 'id'>,
      { steps, quarantineFrom }: BeginGuards = {},
    ): Promise<BegunAdvance | NoAdvance> {
      const answer = await call(begin, { promotion: id, steps, quarantineFrom });
      const promotion = readPromotion(answer.record);
      if (answer.status === 'ok' && promotion !== undefined)
        return {
          key: { lane: promotion.lane, promotion: id, fence: answer.record['fence'] ?? '' },
          promotion,
        };
      return { status: answer.status === 'ok' ? 'over' : answer.status, promotion };
    },

    async record(
      key: AdvanceKey,
      entry: Entry,
    ): Promise<{ status: 'ok' | 'fenced' | 'held'; reportSeq: number }> {
      const { kind, what, data, fields = {}, report } = entry;
      const { status, reportSeq } = await call(record, {
        ...key,
        kind,
        what,
        data: data === undefined ? '' : JSON.stringify(data),
        fields,
        report,
      });
      return { status, reportSeq };
    },

    async endAdvance(key: AdvanceKey): Promise<void> {
      await call(endAdvance, key);
    },

    /** Returns the promotion that has the lane now; undefined if this advance was fenced off. */
    async finish(key: AdvanceKey, end: PromotionResult): Promise<{ next: string } | undefined> {
      const { outcome, message, report, verified, refuted, target, state } = end;
      const answer = await call(finish, {
        ...key,
        outcome,
        message,
        report,
        verified: verified || undefined,
        refuted,
        target: target && targetDigest(target),
        hold: end.hold && toJson(end.hold),
        state,
      });
      if (answer === undefined) return undefined;
      superseded(answer.superseded);
      return { next: answer.next };
    },

    /**
     * Gives idle ones of these lanes to their next promotions and returns those; some hundred lanes at a time.
     */
    async wake(lanes: readonly string[]): Promise<readonly string[]> {
      const answer = await call(wake, { lanes });
      superseded(answer.superseded);
      return answer.started;
    },
    /** Filters some hundred promotions: those that do not merely wait for an enqueued advance. */
    async promotionsToReconcile(promotions: readonly string[], jobKeys: string): Promise<readonly string[]> {
      return call(promotionsToReconcile, { promotions, jobKeys });
    },
    /** Ids of the promotions whose following lanes have not accepted them yet, the first first. */
    async followingIds(lane: string): Promise<readonly string[]> {
      return redis.lrange(keys.following(lane), 0, -1);
    },
    async finishFollowing(promotion: string): Promise<void> {
      await call(finishFollowing, { promotion });
    },

    /**
     * The versions that lanes verified in an environment; some thousand at most. Older workers recorded only the last one
     * of each lane: `lane` is the one whose record counts until `finish.lua` has taken it over.
     */
    async verifiedVersions(target: LiveTarget, lane: string): Promise<ReadonlySet<string>> {
      const known = await redis.zrange(keys.verified(targetDigest(target)), '0', '-1');
      if (known.length > 0) return new Set(known.filter((version) => version !== ''));
      const { verified } = readLane(lane, await redis.hgetall(keys.lane(lane)), []) ?? {};
      return new Set(verified === undefined ? [] : [verified.version]);
    },
    /** Whether the promotion was changed from outside since its last advance began. */
    async isAdvanceRequested(promotion: string): Promise<boolean> {
      return (await redis.hexists(keys.promotion(promotion), 'advanceRequested')) === 1;
    },
    async promotion(id: string): Promise<PromotionRecord | undefined> {
      return readPromotion(await redis.hgetall(keys.promotion(id)));
    },
    async lane(id: string): Promise<LaneRecord | undefined> {
      const [hash, waiting] = await Promise.all([
        redis.hgetall(keys.lane(id)),
        redis.lrange(keys.queue(id), 0, -1),
      ]);
      return readLane(id, hash, waiting);
    },
    /** Ids of all lanes, sorted. */
    async laneIds(): Promise<readonly string[]> {
      return (await redis.smembers(keys.lanes)).toSorted();
    },
    /** Promotion ids, newest first. */
    async promotionIds(limit: number): Promise<readonly string[]> {
      return redis.zrevrange(keys.promotions, 0, limit - 1);
    },
    /** Ids of the promotions that need work. */
    async openIds(): Promise<readonly string[]> {
      return redis.smembers(keys.open);
    },
    /** The history, oldest first; only the newest entries if there are more than a person reads. */
    async history(
      of: Parameters<Keys['history']>[0],
    ): Promise<readonly { at: number; what: string; data: string }[]> {
      const entries = await redis.xrevrange(keys.history(of), '+', '-', 'COUNT', maxHistoryEntries);
      return entries.toReversed().map(([, fields]) => {
        const hash = pairsOf(fields);
        return { at: Number(hash['at'] ?? 0), what: hash['what'] ?? '', data: hash['data'] ?? '' };
      });
    },
    /** The value that the lane accepted last for a field of its heads. */
    async head(lane: string, field: string): Promise<string | undefined> {
      return (await redis.hget(keys.heads(lane), field)) ?? undefined;
    },
    async laneSeq(lane: string): Promise<number> {
      return Number((await redis.hget(keys.lane(lane), 'seq')) ?? 0);
    },
  };
}

function pairsOf(fields: readonly string[]): Record<string, string> {
  const hash: Record<string, string> = {};
  for (let i = 0; i < fields.length; i += 2) hash[fields[i] ?? ''] = fields[i + 1] ?? '';
  return hash;
}
