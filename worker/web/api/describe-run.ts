import { countApprovals } from '../../promotion/gates/count-approvals.ts';
import { shutGate } from '../../promotion/gates/shut-gate.ts';
import { standingRules } from '../../promotion/gates/standing-rules.ts';
import type { Engine } from '../../promotion/engine.ts';
import { progressOf } from '../../promotion/progress-of.ts';
import { isPassedBy, type LaneRecord } from '../../store/lane-record.ts';
import type { RunRecord } from '../../records/run-record.ts';
import { timeOf } from './time-of.ts';

/** A run as the API shows it. */
export type ShownRun = ReturnType<typeof describeRun>;

/** A run as the API shows it; times in ISO 8601, durations (`…Ms`) in milliseconds. `lane`: its lane, where it has one. */
export function describeRun(
  run: RunRecord,
  lane: Pick<LaneRecord, 'verified'> | undefined,
  { config, clock }: Pick<Engine, 'config' | 'clock'>,
) {
  const { plan, step, state } = run;
  const open = state === 'queued' || state === 'active';
  const rules = standingRules(plan, config);
  const approvals = rules === undefined ? undefined : countApprovals(run, rules);
  return {
    id: run.id,
    lane: run.lane,
    laneName: plan.lane.name,
    seq: run.seq,
    state,
    outcome: run.outcome ?? null,
    /** It is indeterminate, and the lane has verified a newer one since: there is nothing left to settle. */
    passedBy: run.outcome === 'indeterminate' && isPassedBy(run, lane),
    message: run.message ?? null,
    version: run.version ?? null,
    repository: plan.repository.fullName,
    ref: plan.ref,
    commit: plan.commit,
    pusher: plan.pusher?.login ?? null,
    delivery: plan.delivery,
    retryOf: plan.retry ?? null,
    from: plan.lane.from,
    to: plan.lane.to,
    step: state === 'active' ? step.name : null,
    progress: state === 'active' ? progressOf(run) : null,
    /** The gate that it waits at, in the step that it is in. */
    waitsFor:
      state === 'active' && run.intent === undefined
        ? (shutGate(run, config, clock.now())?.gate ?? null)
        : null,
    approvals:
      approvals === undefined || approvals.needed === 0
        ? null
        : { needed: approvals.needed, given: approvals.given, mayApprove: open ? approvals.mayApprove : [] },
    override: run.override === undefined ? null : { by: run.override.by, why: run.override.why },
    executionId: step.name === 'watch' ? step.executionId : null,
    intent: run.intent === undefined ? null : { ...run.intent, at: timeOf(run.intent.at) },
    status: run.report.text,
    createdAt: timeOf(run.createdAt),
    startedAt: timeOf(run.startedAt),
    endedAt: timeOf(run.endedAt),
  };
}
