import type { PromotionRecord } from '../../records/promotion-record.ts';
import type { CurrentPolicy } from './current-policy.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';

/** The approvals of a promotion, and who may still approve. Names as worker.yaml spells them. */
export interface ApprovalCount {
  readonly needed: number;
  readonly given: readonly string[];
  readonly mayApprove: readonly string[];
}

/**
 * Counts the valid approvals: of different people who may approve now, who neither pushed it nor (if the gates say so)
 * wrote it, for exactly this commit and version. One more is needed if it is not known who pushed, and one more if it
 * matters and is not known who wrote it: an approver may be that person.
 */
export function countApprovals(
  { task, version, approvals }: Pick<PromotionRecord, 'task' | 'version' | 'approvals'>,
  policy: CurrentPolicy,
): ApprovalCount {
  const { gates, approvers, teams, isPusherKnown, areAuthorsKnown, pushers, authors } = policy;
  const excludedIds = new Set([...policy.pusherIds, ...policy.authorIds]);
  const isExcluded = (person: string): boolean => pushers.has(person) || authors.has(person);
  const nameOf = new Map(approvals.map(({ person, by }) => [person, by]));
  const counting = new Set(
    approvals
      .filter((approval) => approval.commit === task.commit && approval.version === version)
      // Who pushed and who wrote it can become known after an approval.
      .filter(({ githubId }) => githubId === undefined || !excludedIds.has(githubId))
      .filter(({ person, team }) => approvers.has(person) || (team !== undefined && teams.includes(team)))
      .map(({ person }) => person)
      .filter((person) => !isExcluded(person)),
  );
  const others = [...approvers].filter(([person]) => !isExcluded(person) && !counting.has(person));
  return {
    needed: gates.approvals === 0 ? 0 : gates.approvals + (isPusherKnown ? 0 : 1) + (areAuthorsKnown ? 0 : 1),
    given: [...counting].map((person) => approvers.get(person) ?? nameOf.get(person) ?? person),
    mayApprove: [...others.map(([, name]) => name), ...teams],
  };
}

/** Describes the missing approvals. */
export function describeMissingApprovals({ needed, given: approvedBy, mayApprove }: ApprovalCount): string {
  const missing = needed - approvedBy.length;
  const what = approvedBy.length === 0 ? 'approval' : 'more approval';
  const who =
    mayApprove.length === 0
      ? 'no other person is listed in `approvers` in worker.yaml'
      : `${mayApprove.join(', ')} may approve`;
  const has =
    approvedBy.length === 0 ? '' : `; ${approvedBy.join(', ')} ${approvedBy.length === 1 ? 'has' : 'have'}`;
  return `Waiting for ${numberOf(missing, what)} (${who}${has})`;
}
