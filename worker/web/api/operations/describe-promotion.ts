import { countApprovals } from '../../../promotion/gates/count-approvals.ts';
import { blockingGate } from '../../../promotion/gates/blocking-gate.ts';
import { currentPolicy } from '../../../promotion/gates/current-policy.ts';
import type { Policy, Timing } from '../../../promotion/context/ports.ts';
import { shownPlan } from '../../../promotion/plan/shown-plan.ts';
import { progressOf } from '../../../promotion/decisions/progress-of.ts';
import { isPassedBy, type LaneRecord } from '../../../store/lanes/lane-record.ts';
import type { PromotionRecord, Rejection, Step } from '../../../records/promotion-record.ts';
import { executionUrl } from '../../../../lib/config/worker/execution-url.ts';
import type { WorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { timeOf } from './time-of.ts';

/** A promotion in the form that the API shows. */
export type ShownPromotion = ReturnType<typeof describePromotion>;

/**
 * Describes a promotion for the API. Times are in ISO 8601, durations (`…Ms`) in milliseconds. `lane`: its lane, if
 * it exists.
 */
export function describePromotion(
  promotion: PromotionRecord,
  lane: Pick<LaneRecord, 'verified'> | undefined,
  { config, clock }: Pick<Policy, 'config'> & Pick<Timing, 'clock'>,
) {
  const { task, step, state } = promotion;
  const open = state === 'queued' || state === 'active';
  const rules = currentPolicy(task, config);
  const approvals = rules === undefined ? undefined : countApprovals(promotion, rules);
  const plan = promotion.plan === undefined ? null : shownPlan(promotion.plan);
  /** The gate that it waits at in its current step. */
  const waitsFor =
    state === 'active' && promotion.intent === undefined
      ? (blockingGate(promotion, config, clock.now())?.gate ?? recordedGate(promotion))
      : null;
  return {
    id: promotion.id,
    lane: promotion.lane,
    laneName: task.lane.name,
    seq: promotion.seq,
    state,
    outcome: promotion.outcome ?? null,
    /** It is indeterminate, and the lane has verified a newer one since: there is nothing left to resolve. */
    passedBy: promotion.outcome === 'indeterminate' && isPassedBy(promotion, lane),
    message: promotion.message ?? null,
    version: promotion.version ?? null,
    repository: task.repository.fullName,
    ref: task.ref,
    commit: task.commit,
    artifactCommit: promotion.artifactCommit ?? null,
    pusher: task.pusher?.login ?? null,
    delivery: task.delivery,
    retryOf: task.retry ?? null,
    request: task.request === undefined ? null : { by: task.request.by, reason: task.request.reason },
    from: task.lane.from,
    to: task.lane.to,
    step: state === 'active' ? step.name : null,
    progress: state === 'active' ? { ...progressOf(promotion), ...waitSince(step, waitsFor) } : null,
    waitsFor,
    /** Since when it waits for an approval, and whether that is longer than worker.yaml says. */
    approvalWait: waitsFor === 'approval' ? approvalWait(promotion, { config, clock }) : null,
    approvals:
      approvals === undefined || approvals.needed === 0
        ? null
        : {
            needed: approvals.needed,
            given: approvals.given,
            mayApprove: open ? approvals.mayApprove : [],
            void: approvals.void,
            withoutPlan: plan === null ? [] : approvals.withoutPlan,
            comments: promotion.approvals.flatMap(({ by, via, comment, at }) =>
              comment === undefined ? [] : [{ by, via, comment, at: timeOf(at) }],
            ),
          },
    /** What it will change. Null if it needs no approval, or before the plan was made. */
    plan,
    /** Who refused it, which ended it. */
    rejection: describeRejection(promotion.rejection),
    override:
      promotion.override === undefined
        ? null
        : { by: promotion.override.by, reason: promotion.override.reason },
    evidencePass:
      promotion.evidencePass === undefined
        ? null
        : { by: promotion.evidencePass.by, reason: promotion.evidencePass.reason },
    executionId: step.name === 'watch' ? step.executionId : null,
    executionUrl:
      step.name === 'watch'
        ? (executionUrlOf(promotion, step.executionId, step.verify, config) ?? null)
        : null,
    intent: promotion.intent === undefined ? null : { ...promotion.intent, at: timeOf(promotion.intent.at) },
    status: promotion.report.text,
    /** Its version was disabled in the target after it had passed. */
    rolledBack: promotion.rolledBack ?? null,
    createdAt: timeOf(promotion.createdAt),
    startedAt: timeOf(promotion.startedAt),
    endedAt: timeOf(promotion.endedAt),
  };
}

function describeRejection(rejection: Rejection | undefined) {
  if (rejection === undefined) return null;
  const { by, via, reason, at } = rejection;
  return { by, via, reason, at: timeOf(at) };
}

/**
 * The address of an execution's page on the platform, if worker.yaml has `execution-url`. `verify`: the number of
 * the verification that started it.
 */
export function executionUrlOf(
  { task }: Pick<PromotionRecord, 'task'>,
  execution: string,
  verify: number,
  { credentials }: Pick<WorkerConfig, 'credentials'>,
): string | undefined {
  const { lane } = task;
  const template = credentials[lane.credential]?.executionUrl;
  if (template === undefined) return undefined;
  const pipeline = lane.verify[verify]?.pipeline ?? '';
  return executionUrl(template, { execution, project: lane.project, environment: lane.to, pipeline });
}

function approvalWait(
  { step, versionAt, createdAt }: PromotionRecord,
  { config, clock }: Pick<Policy, 'config'> & Pick<Timing, 'clock'>,
) {
  const waits = 'waits' in step && step.waits?.gate === 'approval' ? step.waits.since : undefined;
  // Steps of older workers do not say it.
  const since = waits ?? versionAt ?? createdAt;
  const isOverdue = clock.now() - since >= config['approval-overdue-after'];
  return { since: new Date(since).toISOString(), isOverdue };
}

/** Gates about which only the promotion itself finds out: they are read on GitHub, or from the records of pauses. */
const recordedGates = ['checks', 'evidence', 'pause'] as const;

/** The gate that its last advance found shut. */
function recordedGate({ step }: Pick<PromotionRecord, 'step'>): (typeof recordedGates)[number] | null {
  const waits = 'waits' in step ? step.waits : undefined;
  if (step.name === 'promote' && waits?.gate === 'evidence' && step.evidence !== undefined) return null;
  return recordedGates.find((gate) => gate === waits?.gate) ?? null;
}

/** Since when a step waits: at a gate its time limits begin with each check, but its wait does not. */
function waitSince(step: Step, gate: string | null): { readonly since?: string } {
  const waits = 'waits' in step ? step.waits : undefined;
  return waits === undefined || waits.gate !== gate ? {} : { since: new Date(waits.since).toISOString() };
}
