import type { GateRefusal, Seen } from '../../store/gates/gate-decisions.ts';
import { currentPolicy } from '../gates/current-policy.ts';
import { namesLogin } from '../../records/audit-entry.ts';
import { personOf, personOfLogin } from '../../operators/person-of.ts';
import { type ApprovalPorts, type Decider, findApprovingTeam } from './record-approval.ts';

/** The result of a rejection. */
export type RejectionResult =
  | { readonly status: 'ok' | 'not-an-approver' | 'not-needed' | GateRefusal }
  /** GitHub does not say who is in a team. */
  | { readonly status: 'team-unknown'; readonly reason: string };

/**
 * Records one person's rejection of what they saw, which ends the promotion. They must be one of the repository's `approvers`
 * or in one of their teams. A person who pushed or wrote it may reject it: to stop one's own work needs no second person.
 * `dryRun`: decides the same and changes nothing.
 */
export async function recordRejection(
  who: Decider,
  seen: Seen,
  reason: string,
  ports: ApprovalPorts,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<RejectionResult> {
  const { store, queues, config, clock } = ports;
  const promotion = await store.promotion(seen.promotion);
  if (promotion === undefined) return { status: 'unknown' };
  const policy = currentPolicy(promotion.task, config);
  const nameOf = namesLogin(who.via) ? personOfLogin : personOf;
  const person = nameOf(config.operators, who.name);
  if (policy === undefined || (!policy.approvers.has(person) && policy.teams.length === 0))
    return { status: 'not-an-approver' };
  if (policy.gates.approvals === 0) return { status: 'not-needed' };
  const team = policy.approvers.has(person)
    ? undefined
    : await findApprovingTeam(who, promotion, policy, ports);
  if (team?.status === 'unknown') return { status: 'team-unknown', reason: team.reason };
  if (team?.status === 'none') return { status: 'not-an-approver' };
  const { commit, version } = seen;
  const rejection = {
    person,
    by: who.name,
    via: who.via,
    ...(who.githubId === undefined ? {} : { githubId: who.githubId }),
    ...(team === undefined ? {} : { team: team.name }),
    commit,
    version,
    reason,
    at: clock.now(),
  };
  const status = await store.reject(seen, rejection, { dryRun });
  if (status !== 'ended' && status !== 'requested') return { status };
  if (dryRun) return { status: 'ok' };
  if (status === 'requested') await queues.expediteAdvance(promotion.id);
  else await queues.addReport(promotion.id, (await store.promotion(promotion.id))?.report.seq ?? 0);
  return { status: 'ok' };
}
