import {
  type ApprovalPorts,
  type ApprovalResult,
  planChangedMessage,
  recordApproval,
} from '../../../promotion/decisions/record-approval.ts';
import type { Decider } from '../../../promotion/decisions/find-approver.ts';
import { recordRejection } from '../../../promotion/decisions/record-rejection.ts';
import type { Via } from '../../../records/audit-entry.ts';
import type { Operator } from '../../../operators/operator.ts';
import type { GateDecisions, Seen } from '../../../store/gates/gate-decisions.ts';
import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type { PlatformCalls, Policy, Queues, Records, Timing } from '../../../promotion/context/ports.ts';
import { currentPolicy } from '../../../promotion/gates/current-policy.ts';
import { checkDisabled, disabledMessage } from '../../../promotion/live/check-disabled.ts';
import { approvalRefusals } from '../../../promotion/decisions/approval-refusals.ts';
import { namesPlan } from '../../../records/promotion-plan.ts';
import { type ApiAnswer, conflict, forbidden, ok, unknown, wrong } from './answers.ts';
import { type ApiCall, textOf } from './api-call.ts';
import { describePromotion } from './describe-promotion.ts';

/**
 * Records an approval. The body names the `commit`, the `version` and the `plan` (its digest, or the first twelve
 * digits) that the person saw; the approval counts only for these. Without `plan`, it counts for any plan, and
 * `plan` in the answer is null. The pusher, and people who are not approvers of the repository, cannot approve.
 * Nobody can approve a version that is disabled in its source or target; `unchecked` says why the platform could
 * not be asked about that. The history keeps the `comment`.
 */
export async function approvePromotion(call: ApiCall<ApprovalPorts>): Promise<ApiAnswer> {
  const { id, ports } = call;
  const named = seenBy(call);
  if (named === undefined) return whatIsApproved;
  const seen = await withPlan(named, textOf(call, 'plan'), ports);
  const approval = await approve(call, seen);
  if ('body' in approval) return approval;
  const { status } = approval;
  const promotion = await ports.store.promotion(id);
  if (promotion === undefined) return unknown();
  return ok({
    approved: id,
    ...seen,
    plan: seen.plan ?? null,
    already: status === 'already',
    approvals: describePromotion(promotion, undefined, ports).approvals,
    ...('unchecked' in approval ? { unchecked: approval.unchecked } : {}),
  });
}

/** Whether an approval of the `commit`, `version` and `plan` in the query would count. Changes nothing. */
export async function previewApproval(call: ApiCall<ApprovalPorts>): Promise<ApiAnswer> {
  const [commit, version] = [call.query.get('commit'), call.query.get('version')];
  if (!commit || !version) return whatIsApproved;
  const seen = await withPlan(
    { promotion: call.id, commit, version },
    call.query.get('plan') || undefined,
    call.ports,
  );
  const approval = await approve(call, seen, { dryRun: true });
  if ('body' in approval) return approval;
  const { status, ...rest } = approval;
  return ok({ ...seen, plan: seen.plan ?? null, already: status === 'already', ...rest });
}

/** With the whole digest, if a text names the plan of the promotion. */
async function withPlan(seen: Seen, text: string | undefined, { store }: Records<LaneReads>): Promise<Seen> {
  if (text === undefined) return seen;
  const plan = (await store.promotion(seen.promotion))?.plan;
  return { ...seen, plan: plan !== undefined && namesPlan(text, plan) ? plan.digest : text };
}

/**
 * Rejects a promotion that may still be approved. It ends, and nothing is promoted. The body has the `commit` and
 * the `version` that the person saw, and the `reason`.
 */
export async function rejectPromotion(call: ApiCall<ApprovalPorts>): Promise<ApiAnswer> {
  const [seen, reason] = [seenBy(call), textOf(call, 'reason')];
  if (reason === undefined) return wrong('a rejection needs a `reason`');
  if (seen === undefined) return whatIsRejected;
  return (await reject(call, seen, reason)) ?? ok({ rejected: call.id, ...seen, reason });
}

/** Whether a rejection of the `commit` and `version` in the query would count. Changes nothing. */
export async function previewRejection(call: ApiCall<ApprovalPorts>): Promise<ApiAnswer> {
  const [commit, version] = [call.query.get('commit'), call.query.get('version')];
  if (!commit || !version) return whatIsRejected;
  const seen = { promotion: call.id, commit, version };
  return (await reject(call, seen, '', { dryRun: true })) ?? ok(seen);
}

const whatIsRejected = wrong('give the `commit` and the `version` that you reject');

/** Records the rejection; returns the error answer if it does not count. */
async function reject(
  { operator, via, ports }: ApiCall<ApprovalPorts>,
  seen: Seen,
  reason: string,
  options: { readonly dryRun?: boolean } = {},
): Promise<ApiAnswer | undefined> {
  const rejection = await recordRejection(deciderOf(operator, via), seen, reason, ports, options);
  const { status } = rejection;
  if (status === 'ok') return undefined;
  if (status === 'team-unknown') return teamNotKnown(rejection.reason);
  return status === 'not-an-approver' ? notAnApprover(operator) : conflict(approvalRefusals[status]);
}

const teamNotKnown = (reason: string): ApiAnswer =>
  conflict(`GitHub does not say now who is in the approvers’ teams: ${reason}`);

const notAnApprover = ({ name }: Operator): ApiAnswer =>
  forbidden(`${name} is not an approver of the repository (\`approvers\` in worker.yaml)`);

const deciderOf = ({ name, github }: Operator, via: Via): Decider => ({
  name,
  via,
  ...(github === undefined ? {} : { githubId: github.id }),
});

const whatIsApproved = wrong('give the `commit` and the `version` that you approve');

/** Records the approval; returns the error answer if it does not count. */
async function approve(
  call: ApiCall<ApprovalPorts>,
  seen: Seen,
  options: { readonly dryRun?: boolean } = {},
): Promise<ApiAnswer | Extract<ApprovalResult, { status: 'ok' | 'already' }>> {
  const { operator, via, ports } = call;
  const who = { ...deciderOf(operator, via), comment: textOf(call, 'comment') };
  const approval = await recordApproval(who, seen, ports, options);
  const { status } = approval;
  if (status === 'ok' || status === 'already') return approval;
  if (status === 'disabled') return conflict(disabledMessage(seen.version, approval.environment));
  if (status === 'plan-changed') return conflict(planChangedMessage(approval.because));
  if (status === 'team-unknown') return teamNotKnown(approval.reason);
  if (status === 'not-an-approver') return notAnApprover(operator);
  return conflict(approvalRefusals[status]);
}

/**
 * Lets one promotion continue during freezes, for exactly the commit and version that the admin saw. Needs a
 * reason.
 */
export async function overrideFreeze(
  call: ApiCall<Records<GateDecisions & LaneReads> & PlatformCalls & Pick<Policy, 'config'> & Queues>,
): Promise<ApiAnswer> {
  const { id, operator, ports } = call;
  const reason = textOf(call, 'reason');
  if (reason === undefined) return wrong('an override needs a `reason`');
  const seen = seenBy(call);
  if (seen === undefined)
    return wrong('give the `commit` and the `version` that may be promoted during the freeze');
  const promotion = await ports.store.promotion(id);
  if (promotion === undefined) return unknown();
  const gates = currentPolicy(promotion.task, ports.config)?.gates;
  if (gates?.freeze.length === 0 && gates.windows.length === 0)
    return conflict('no freeze stops the promotion now, so there is nothing to override');
  const { commit, version } = seen;
  const isMeant =
    promotion.state !== 'finished' && promotion.version === version && promotion.task.commit === commit;
  const disabled = isMeant ? await checkDisabled(promotion, version, ports) : undefined;
  if (disabled?.kind === 'disabled') return conflict(disabledMessage(version, disabled.environment));
  const status = await ports.store.overrideFreeze(seen, {
    by: operator.name,
    via: call.via,
    reason,
    commit,
    version,
    at: ports.clock.now(),
  });
  if (status !== 'ok') return conflict(approvalRefusals[status]);
  await ports.queues.expediteAdvance(id);
  return ok({ overridden: id, ...seen, reason });
}

/**
 * Lets one promotion continue without the evidence that its gates require, for exactly the commit and version that
 * the admin saw. Needs a reason.
 */
export async function passEvidence(
  call: ApiCall<Records<GateDecisions & LaneReads> & Pick<Policy, 'config'> & Pick<Timing, 'clock'> & Queues>,
): Promise<ApiAnswer> {
  const { id, operator, ports } = call;
  const reason = textOf(call, 'reason');
  if (reason === undefined) return wrong('a promotion without evidence needs a `reason`');
  const seen = seenBy(call);
  if (seen === undefined)
    return wrong('give the `commit` and the `version` that may be promoted without evidence');
  const promotion = await ports.store.promotion(id);
  if (promotion === undefined) return unknown();
  const rules = currentPolicy(promotion.task, ports.config)?.gates.evidence ?? [];
  if (!rules.some(({ mode }) => mode === 'require'))
    return conflict('no gate requires evidence of the promotion, so it needs no permission');
  const { commit, version } = seen;
  const status = await ports.store.passEvidence(seen, {
    by: operator.name,
    via: call.via,
    reason,
    commit,
    version,
    at: ports.clock.now(),
  });
  if (status !== 'ok') return conflict(approvalRefusals[status]);
  await ports.queues.expediteAdvance(id);
  return ok({ passed: id, ...seen, reason });
}

function seenBy(call: ApiCall): { promotion: string; commit: string; version: string } | undefined {
  const [commit, version] = [textOf(call, 'commit'), textOf(call, 'version')];
  return commit === undefined || version === undefined ? undefined : { promotion: call.id, commit, version };
}
