import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Clock } from '../../lib/core/ports/ports.ts';
import type { LanePlan } from '../records/plan.ts';
import { recordFormat } from '../records/record-format.ts';
import { storedPlan } from '../records/stored-plan.ts';
import type { Acceptance, Accepted } from './lanes/acceptance.ts';
import { createAdvances } from './advances/advances.ts';
import { createExportReads } from './lanes/export-reads.ts';
import { createGateDecisions } from './gates/gate-decisions.ts';
import type { Keys } from './scripts/keys.ts';
import { createLaneControl, type OnEnded } from './lanes/lane-control.ts';
import { createLaneReads } from './lanes/lane-reads.ts';
import { targetName } from './live/live-target.ts';
import { toJson } from './scripts/lua-script.ts';
import { type FormatOptions, newerFormatIn } from './scripts/newer-format.ts';
import { createOperatorWords, type OperatorWords } from './journal/operator-words.ts';
import { createPauses } from './gates/pauses.ts';
import { createReporting } from './reports/reporting.ts';
import { createRetention } from './lanes/retention.ts';
import { accept } from './lanes/accept.ts';
import { finishFollowing, promotionsToReconcile, wake } from './lanes/lane-control-scripts.ts';
import type { CallLaneScript } from './scripts/lane-script.ts';
import { rebuild } from './recovery/rebuild.ts';
import { createStateChecks } from './recovery/state-checks.ts';
import { stateLost } from './recovery/state-lost.ts';
import type { StateMemory } from './recovery/state-memory.ts';
import { type OnOlder, rememberCalls } from './recovery/state-older.ts';

/** Seconds for which a preview can be carried out. */
const previewSeconds = 3_600;

/** The lane and promotion records. Every change is one Lua script, beside its function. */
export type LaneStore = ReturnType<typeof createLaneStore>;

/** Cancelled promotions in a row after which the next one may finish; otherwise nothing would ever be live. */
const maxCancels = 3;

/**
 * `onEnded` is called for promotions that ended without an advance: superseded, or cancelled while they waited. `older`: what
 * this process remembers, by which an older state is noticed. `words`: what operators say. Calls throw NewerFormat where a newer worker has raised the format.
 */
export function createLaneStore(
  redis: Redis,
  keys: Keys,
  clock: Clock,
  onEnded: OnEnded = () => undefined,
  {
    older,
    words = createOperatorWords({ redis, keys, clock, journal: undefined, onFailure: () => undefined }),
    format = { known: recordFormat, onNewer: () => undefined },
  }: {
    readonly older?: { readonly memory: StateMemory; readonly onOlder: OnOlder };
    readonly words?: OperatorWords;
    readonly format?: FormatOptions;
  } = {},
) {
  const superseded = (count: number): void => {
    if (count > 0) onEnded('superseded', count);
  };
  const plain: CallLaneScript = async (script, given) => {
    const known = script.mayMeetNewer(given) ? undefined : format.known;
    try {
      return await script(redis, [keys.lanes], {
        prefix: keys.prefix,
        now: clock.now(),
        format: known,
        ...given,
      });
    } catch (error) {
      const newer = newerFormatIn(error);
      if (newer === undefined) throw error;
      format.onNewer(newer.format);
      throw newer;
    }
  };
  const call =
    older === undefined
      ? plain
      : rememberCalls(plain, older.memory, { redis, keys, clock, onOlder: older.onOlder, words });

  return {
    ...createLaneReads(redis, keys),
    ...createExportReads(redis, keys),
    ...createAdvances(call, superseded, format.known),
    ...createReporting(redis, keys, call, format.known),
    ...createLaneControl(call, onEnded),
    ...createGateDecisions(call),
    ...createPauses(redis, keys, call),
    ...createPreviews(redis, keys),
    ...createRetention(redis, keys),
    ...createStateChecks(redis, keys, clock, call),

    /** `enqueues`: the promotion that has the lane now gets its job in the same step. */
    async accept(
      acceptance: Acceptance,
      { enqueues = false }: { readonly enqueues?: boolean } = {},
    ): Promise<Accepted> {
      const answer = await call(accept, {
        ...acceptArguments(acceptance, clock.now()),
        // BullMQ uses the machine's clock.
        advanceAt: enqueues ? Date.now() : undefined,
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
    async finishFollowing(promotion: string): Promise<void> {
      await call(finishFollowing, { promotion });
    },
  };
}

/** What the script `accept` gets, apart from what every script gets. */
function acceptArguments(
  { promotionId, plan, order, newer, head, expectedSeq, headSince, audit }: Acceptance,
  now: number,
) {
  const { lane, version, repository } = plan;
  const named = version.kind === 'named' ? version.name : undefined;
  return {
    lane: lane.id,
    promotion: promotionId,
    policy: lane.policy,
    order,
    newer: newer?.name ?? 'a commit',
    isSameCommit: newer?.isSameCommit ?? false,
    headField: head.field,
    head: head.value,
    expectedSeq,
    ref: plan.ref,
    headSince,
    maxCancels,
    name: named ?? plan.commit.slice(0, 12),
    lostHold: toJson(stateLost(now)),
    promotionFields: { plan: toJson(storedPlan(plan)) },
    laneFields: {
      name: lane.name,
      repository: repository.fullName,
      project: lane.project,
      from: lane.from,
      to: lane.to,
    },
    commit: plan.commit,
    target: targetName({ project: lane.project, environment: lane.to }),
    audit: audit && { by: audit.by, via: audit.via, act: audit.act, data: audit.data },
  };
}

/** Previews of bulk actions: what was shown is what is carried out. */
function createPreviews(redis: Redis, keys: Keys) {
  return {
    /** Keeps a preview for an hour; returns its fingerprint, which is the same for the same content. */
    async keepPreview(content: object): Promise<string> {
      const text = JSON.stringify(content);
      const fingerprint = createHash('sha256').update(text).digest('base64url');
      await redis.set(keys.preview(fingerprint), text, 'EX', previewSeconds);
      return fingerprint;
    },
    /** The content of a preview, as it was given. */
    async preview(fingerprint: string): Promise<unknown> {
      const text = await redis.get(keys.preview(fingerprint));
      return text === null ? undefined : (JSON.parse(text) as unknown);
    },
  };
}
