import { whyVoid } from '../../records/promotion-plan.ts';
import type { Approval, PromotionRecord } from '../../records/promotion-record.ts';
import type { CurrentPolicy } from './current-policy.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';

/** The approvals of a promotion, and the people who may still approve. Names are spelled as in worker.yaml. */
export interface ApprovalCount {
  readonly needed: number;
  readonly given: readonly string[];
  readonly mayApprove: readonly string[];
  /** Who approved another plan than the one that the promotion has now, and why that changed, as the end of a sentence. */
  readonly void: readonly { readonly by: string; readonly because: string }[];
  /** Who of `given` approved without a plan. */
  readonly withoutPlan: readonly string[];
}

/**
 * Counts the valid approvals: from different people who may approve now, who neither pushed the version nor (if the
 * gates say so) wrote it, for exactly this commit, version and plan. An approval without a plan counts for any
 * plan. One more approval is needed if the pusher is unknown, and one more if authors may not approve and are
 * unknown, because an approver may be that person.
 */
export function countApprovals(
  { task, version, approvals, plan }: Pick<PromotionRecord, 'task' | 'version' | 'approvals' | 'plan'>,
  policy: CurrentPolicy,
): ApprovalCount {
  const { gates, approvers, teams, isPusherKnown, areAuthorsKnown, pushers, authors } = policy;
  const excludedIds = new Set([...policy.pusherIds, ...policy.authorIds]);
  const isExcluded = (person: string): boolean => pushers.has(person) || authors.has(person);
  const nameOf = new Map(approvals.map(({ person, by }) => [person, by]));
  const ofVersion = approvals.filter(
    (approval) => approval.commit === task.commit && approval.version === version,
  );
  const isOfPlan = (approval: Approval): boolean =>
    approval.plan === undefined || approval.plan === plan?.digest;
  const counting = new Set(
    ofVersion
      .filter(isOfPlan)
      // Who pushed and who wrote it can become known after an approval.
      .filter(({ githubId }) => githubId === undefined || !excludedIds.has(githubId))
      .filter(({ person, team }) => approvers.has(person) || (team !== undefined && teams.includes(team)))
      .map(({ person }) => person)
      .filter((person) => !isExcluded(person)),
  );
  const others = [...approvers].filter(([person]) => !isExcluded(person) && !counting.has(person));
  const spelled = (person: string): string => approvers.get(person) ?? nameOf.get(person) ?? person;
  return {
    needed: gates.approvals === 0 ? 0 : gates.approvals + (isPusherKnown ? 0 : 1) + (areAuthorsKnown ? 0 : 1),
    given: [...counting].map(spelled),
    mayApprove: [...others.map(([, name]) => name), ...teams],
    void: ofVersion
      .filter((approval) => !isOfPlan(approval))
      .map((approval) => ({
        by: spelled(approval.person),
        because: (plan && whyVoid(plan, approval.plan ?? '')) ?? 'the plan has changed',
      })),
    withoutPlan: ofVersion
      .filter((approval) => approval.plan === undefined && counting.has(approval.person))
      .map(({ person }) => spelled(person)),
  };
}

/** The text that says how many approvals are missing and who may give them. */
export function describeMissingApprovals({
  needed,
  given: approvedBy,
  mayApprove,
  void: voidApprovals,
}: ApprovalCount): string {
  const missing = needed - approvedBy.length;
  const what = approvedBy.length === 0 ? 'approval' : 'more approval';
  const who =
    mayApprove.length === 0
      ? 'no other person is listed in `approvers` in worker.yaml'
      : `${mayApprove.join(', ')} may approve`;
  const has =
    approvedBy.length === 0 ? '' : `; ${approvedBy.join(', ')} ${approvedBy.length === 1 ? 'has' : 'have'}`;
  const voided = voidApprovals.map(({ by, because }) => `; the approval of ${by} is void: ${because}`);
  return `Waiting for ${numberOf(missing, what)} (${who}${has})${voided.join('')}`;
}
