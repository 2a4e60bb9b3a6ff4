import { type Client, ClientError } from '../../../client/index.ts';
import type { PlatformContext } from '../../../flows/context/context.ts';
import { silentProgress } from '../../../lib/core/ports/ports.ts';
import { isFrozen } from '../gates/frozen.ts';
import { isOverridden, blockingGate } from '../gates/blocking-gate.ts';
import { currentPolicy } from '../gates/current-policy.ts';
import type { BegunAdvance, Entry, PromotionResult } from '../../store/advances/advances.ts';
import { RateLimited } from '../../rate-limit/rate-limited.ts';
import type { Policy, Telemetry, Timing } from '../context/ports.ts';
import type { AdvancePorts } from './advance-ports.ts';
import { applyChange, type Change, entryOf } from './change.ts';
import { CredentialMissing } from '../context/platforms.ts';
import { logFieldsOf } from '../context/log-fields.ts';
import type { PromotionLane } from '../../records/promotion-task.ts';
import type { Intent, PromotionRecord, Step } from '../../records/promotion-record.ts';

/** Thrown if another worker has taken over the promotion: this advance must not use its state any longer. */
export class FencedOff extends Error {
  constructor() {
    super('Another worker has taken over the promotion.');
  }
}

/** The end of a step: the promotion continues at once, waits, or is finished. */
export type StepEnd =
  | { readonly kind: 'continue' }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'finished'; readonly end: FinishedPromotion };

/**
 * A promotion that has ended, or whose following lanes must still accept its version. The job that reports it
 * exists.
 */
export interface FinishedPromotion {
  readonly state: 'following' | 'finished';
}

export const continueNow: StepEnd = { kind: 'continue' };
export const waitFor = (ms: number): StepEnd => ({ kind: 'wait', ms });

/** One advance of a promotion, with everything that its steps read and write. */
export interface Advance {
  readonly promotion: PromotionRecord;
  readonly lane: PromotionLane;
  readonly client: Client;
  readonly context: PlatformContext;
  readonly ports: AdvancePorts;
  /** Whether anything was paused when it began; the step that records an intent checks again. */
  readonly mayBePaused: boolean;
  /** Options of every call. The limits are short, because the fence was checked only just before the call. */
  readonly call: { readonly signal: AbortSignal; readonly timeoutMs: number; readonly deadlineMs: number };
  /** Records an event. Throws FencedOff. */
  save(change: Change): Promise<void>;
  /**
   * Records an event together with the next one, or with the end of the advance. Use it only if nothing outside depends
   * on the event, and nothing is read before then. If the worker is killed before, the next advance finds it out again.
   */
  saveWithNext(change: Change): void;
  /** Records what waits for the next event. Throws FencedOff. */
  saveRest(): Promise<void>;
  /** Lets work that never throws run beside what follows. It has ended once the next event is recorded. */
  alongside(work: Promise<void>): void;
  /**
   * Records an intent before its effect, and checks fence, gates, hold and plan with it. False if the lane is held, a gate
   * blocks, the plan is another one or too few replicas of Redis have the record: then the effect must not happen. Throws FencedOff, and RateLimited if the platform accepts
   * no request now.
   */
  intend(effect: Intent['effect'], what: string): Promise<boolean>;
  /** Ends the promotion. Throws FencedOff. */
  finish(end: Omit<PromotionResult, 'state' | 'refuted' | 'target'>): Promise<StepEnd>;
}

/** An effect, its answer and its record must take less time than a lock lives. */
const callTimeoutMs = 20_000;

/** Opens an advance that has begun. */
export function openAdvance(
  { key, promotion: begun, mayBePaused }: BegunAdvance,
  ports: AdvancePorts,
  signal: AbortSignal,
): Advance {
  const { store, queues, clock, random, logger } = ports;
  const { lane } = begun.task;
  let promotion = begun;
  /** What waits for the next event. */
  let rest: readonly Entry[] = [];
  let beside: Promise<void> | undefined;

  /** Keeps what waits until Redis has it. */
  async function withRest<T>(send: (waiting: readonly Entry[]) => Promise<T>): Promise<T> {
    const waiting = rest;
    const [answer] = await Promise.all([send(waiting), beside]);
    rest = rest.slice(waiting.length);
    return answer;
  }

  async function write(entry: Entry): Promise<'ok' | 'held'> {
    const { status, reportSeq } = await withRest((waiting) => store.record(key, entry, waiting));
    if (status === 'fenced') throw new FencedOff();
    if (status === 'ok' && reportSeq > promotion.report.seq) {
      promotion = { ...promotion, report: { ...promotion.report, seq: reportSeq } };
    }
    return status;
  }

  function apply(change: Change): void {
    const { step } = change;
    if (step !== undefined && isAnother(step, promotion.step)) ports.spans.step(promotion, promotion.step);
    promotion = applyChange(promotion, change);
  }

  return {
    get promotion() {
      return promotion;
    },
    lane,
    // Resolved on use: an advance without a client can still report that it is missing.
    get client() {
      return ports.platformFor(lane.credential).client;
    },
    get context() {
      const { client } = ports.platformFor(lane.credential);
      return { client, projectId: lane.project, clock, random, logger, progress: silentProgress, signal };
    },
    ports,
    mayBePaused,
    call: { signal, timeoutMs: callTimeoutMs, deadlineMs: callTimeoutMs },
    async save(change) {
      await write(entryOf(change, promotion, clock.now()));
      apply(change);
    },
    saveWithNext(change) {
      rest = [...rest, entryOf(change, promotion, clock.now())];
      apply(change);
    },
    async saveRest() {
      if (rest.length > 0) await write({ kind: 'state', what: '' });
    },
    alongside(work) {
      beside = beside === undefined ? work : Promise.all([beside, work]).then(() => undefined);
    },
    async intend(effect, what) {
      signal.throwIfAborted();
      if (blockingGate(promotion, ports.config, clock.now()) !== undefined) return false;
      // Before the intent: nothing may come between the fence and the call.
      await ports.platformFor(lane.credential).acquire();
      // Check again: a freeze may have begun since.
      const now = clock.now();
      if (blockingGate(promotion, ports.config, now) !== undefined) return false;
      const { step } = promotion;
      const underPlan = step.name === 'promote' ? approvedPlan(promotion, ports) : undefined;
      const intent: Intent = {
        effect,
        at: now,
        what,
        ...(underPlan === undefined ? {} : { plan: underPlan }),
      };
      const stepOfPlan = underPlan === undefined ? step : { ...step, underPlan };
      const status = await write({
        kind: 'effect',
        what: `intend-${effect}`,
        data: { what, ...inFreeze(promotion, ports, now) },
        fields: {
          intent: JSON.stringify(intent),
          ...(underPlan === undefined ? {} : { step: JSON.stringify(stepOfPlan) }),
        },
        plan: underPlan,
      });
      if (status !== 'ok') return false;
      if (!(await ports.isReplicated())) {
        await write({ kind: 'state', what: 'not-replicated', fields: { intent: '' } });
        return false;
      }
      promotion = { ...promotion, intent, step: stepOfPlan };
      return true;
    },
    async finish(end) {
      const follows = end.outcome === 'passed' && lane.next.length > 0;
      const state = follows ? 'following' : 'finished';
      const result = {
        ...end,
        refuted: end.outcome === 'failed' && isVerifying(promotion.step) ? promotion.version : undefined,
        target: { project: lane.project, environment: lane.to },
        state,
      } as const;
      const stored = await withRest((waiting) => store.finish(key, result, waiting));
      if (stored === undefined) throw new FencedOff();
      reportEnd(promotion, end, ports);
      if (stored.next !== '') await queues.enqueueAdvance(stored.next);
      return { kind: 'finished', end: { state } };
    },
  };
}

/** The digest of the plan that the approvals of a promotion are about; undefined if it needs none. */
function approvedPlan(
  { task, plan }: PromotionRecord,
  { config }: Pick<Policy, 'config'>,
): string | undefined {
  return (currentPolicy(task, config)?.gates.approvals ?? 0) > 0 ? plan?.digest : undefined;
}

/**
 * What the history records about an effect during a freeze: who overrode it, or that it takes something back.
 */
function inFreeze(promotion: PromotionRecord, { config }: Pick<Policy, 'config'>, now: number): object {
  const rules = currentPolicy(promotion.task, config);
  if (rules === undefined || !isFrozen(rules.gates, now)) return {};
  const { by, reason } = promotion.override ?? {};
  return isOverridden(promotion, promotion.version) ? { inFreeze: { by, reason } } : { inFreeze: true };
}

function isVerifying({ name }: Step): boolean {
  return name === 'start' || name === 'watch' || name === 'roll-back';
}

function isAnother(next: Step, step: Step): boolean {
  const verifyOf = (candidate: Step): number | undefined =>
    'verify' in candidate ? candidate.verify : undefined;
  return next.name !== step.name || verifyOf(next) !== verifyOf(step);
}

/** Metrics, spans and log of a promotion's end. */
function reportEnd(
  promotion: PromotionRecord,
  { outcome, message }: Pick<PromotionResult, 'outcome' | 'message'>,
  { metrics, spans, clock, logger }: Pick<Telemetry, 'logger' | 'metrics' | 'spans'> & Pick<Timing, 'clock'>,
): void {
  const startedAt = promotion.startedAt ?? promotion.createdAt;
  metrics.promotionsFinished.inc({ outcome });
  if (outcome === 'indeterminate') metrics.indeterminate.inc();
  metrics.laneWait.observe((startedAt - promotion.createdAt) / 1_000);
  metrics.promotion.observe({ outcome }, Math.max(0, clock.now() - startedAt) / 1_000);
  spans.step(promotion, promotion.step, outcome);
  spans.promotion(promotion, outcome, message);
  logger.info('Promotion finished.', { ...logFieldsOf(promotion), outcome, message });
}

/** Whether a failed call had no effect, and may succeed if it is repeated later. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof RateLimited ||
    error instanceof CredentialMissing ||
    (error instanceof ClientError && (error.isRetryable || error.code === 'answer-unreadable'))
  );
}

/** Whether it is unknown if a failed call took effect. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof ClientError && error.isUnknown;
}

/** Whether a call failed because of the credential, not because of the version. */
export function isCredentialFault(error: unknown): boolean {
  return error instanceof ClientError && (error.code === 'unauthorized' || error.code === 'forbidden');
}

/**
 * Ends the advance if its signal stopped the call before anything was sent, because the worker stops or lost the
 * job. This says nothing about the version: the next worker that has the promotion sends the call.
 */
export async function rethrowUnsent(advance: Advance, error: unknown): Promise<void> {
  if (!(error instanceof ClientError) || error.code !== 'cancelled' || error.isUnknown) return;
  await advance.save({ what: 'not-sent', intent: null });
  throw error;
}
