import type { DecisionOptions, GateRefusal, Seen } from '../../store/gates/gate-decisions.ts';
import { type Decider, findApprover, possibleApprover } from './find-approver.ts';
import type { ApprovalPorts } from './record-approval.ts';

/** The result of a rejection. */
export type RejectionResult =
  | { readonly status: 'ok' | 'not-an-approver' | 'not-needed' | GateRefusal }
  /** GitHub does not say who is in a team. */
  | { readonly status: 'team-unknown'; readonly reason: string };

/**
 * Records a person's rejection of what they saw, which ends the promotion. The person must be one of the
 * repository's `approvers` or in one of their teams. The person who pushed or wrote the version may also reject it.
 * `dryRun`: decides the same and changes nothing.
 */
export async function recordRejection(
  who: Decider,
  seen: Seen,
  reason: string,
  ports: ApprovalPorts,
  { dryRun = false, comment }: DecisionOptions = {},
): Promise<RejectionResult> {
  const { store, queues, config, clock } = ports;
  const promotion = await store.promotion(seen.promotion);
  if (promotion === undefined) return { status: 'unknown' };
  const possible = possibleApprover(who, promotion, config);
  if (possible === undefined) return { status: 'not-an-approver' };
  if (possible.policy.gates.approvals === 0) return { status: 'not-needed' };
  const approver = await findApprover(possible, promotion, ports);
  if (approver.status !== 'ok') return approver;
  const { commit, version } = seen;
  const rejection = {
    ...approver.named,
    commit,
    version,
    reason,
    at: clock.now(),
  };
  const status = await store.reject(seen, rejection, { dryRun, comment });
  if (status !== 'ended' && status !== 'requested') return { status };
  if (dryRun) return { status: 'ok' };
  if (status === 'requested') await queues.expediteAdvance(promotion.id);
  else await queues.addReport(promotion.id, (await store.promotion(promotion.id))?.report.seq ?? 0);
  return { status: 'ok' };
}
