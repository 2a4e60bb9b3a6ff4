import { Failure } from '../../../lib/core/errors/failure.ts';
import { checkDisabled } from '../live/check-disabled.ts';
import type { DecisionOptions, GateDecisions, GateRefusal, Seen } from '../../store/gates/gate-decisions.ts';
import { whyVoid } from '../../records/promotion-plan.ts';
import type { GitHubReads, PlatformCalls, Policy, Queues, Records } from '../context/ports.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import { type Decider, findApprover, possibleApprover } from './find-approver.ts';

/** The ports that an approval uses: records, the platform and GitHub. */
export type ApprovalPorts = Records<GateDecisions & LaneReads> &
  PlatformCalls &
  Pick<Policy, 'config'> &
  Queues &
  GitHubReads;

/** The result of an approval. */
export type ApprovalResult =
  | {
      readonly status: 'ok' | 'already';
      /** Why it is unknown whether the version is disabled. */ readonly unchecked?: string;
    }
  | { readonly status: 'not-an-approver' | 'the-pusher' | 'an-author' | 'not-needed' | GateRefusal }
  | { readonly status: 'disabled'; readonly environment: string }
  /** They saw another plan. `because`: what changed since, as the end of a sentence. */
  | { readonly status: 'plan-changed'; readonly because: string }
  /** GitHub does not say who is in a team. */
  | { readonly status: 'team-unknown'; readonly reason: string };

/**
 * Records a person's approval of what they saw, if they may give it. They must be one of the repository's
 * `approvers` or in one of their teams; they must not have pushed it (nor written it, if the gates say so); and the
 * version must not be disabled in its source or target. A valid approval advances the promotion at once. `dryRun`:
 * decides the same and changes nothing.
 */
export async function recordApproval(
  who: Decider,
  seen: Seen,
  ports: ApprovalPorts,
  { dryRun = false, comment }: DecisionOptions = {},
): Promise<ApprovalResult> {
  const { store, queues, config, clock } = ports;
  const promotion = await store.promotion(seen.promotion);
  if (promotion === undefined) return { status: 'unknown' };
  const possible = possibleApprover(who, promotion, config);
  if (possible === undefined) return { status: 'not-an-approver' };
  const { person, policy } = possible;
  // By id too: a login can change between the push and the approval.
  const isOneOf = (people: ReadonlySet<string>, ids: ReadonlySet<number>): boolean =>
    people.has(person) || (who.githubId !== undefined && ids.has(who.githubId));
  if (isOneOf(policy.pushers, policy.pusherIds)) return { status: 'the-pusher' };
  if (isOneOf(policy.authors, policy.authorIds)) return { status: 'an-author' };
  if (policy.gates.approvals === 0) return { status: 'not-needed' };
  const approver = await findApprover(possible, promotion, ports);
  if (approver.status !== 'ok') return approver;
  const { commit, version, plan } = seen;
  // Otherwise the store refuses the approval, and the platform need not be asked.
  const isStillAsSeen =
    promotion.state !== 'finished' && promotion.version === version && promotion.task.commit === commit;
  const disabled = isStillAsSeen ? await checkDisabled(promotion, version, ports) : undefined;
  if (disabled?.kind === 'disabled') return { status: 'disabled', environment: disabled.environment };
  const approval = {
    ...approver.named,
    commit,
    version,
    ...(who.comment === undefined ? {} : { comment: who.comment }),
    ...(plan === undefined ? {} : { plan }),
    at: clock.now(),
  };
  const status = await store.approve(seen, approval, { dryRun, comment });
  if (status === 'changed' && isStillAsSeen && plan !== undefined)
    return planChanged(seen.promotion, plan, ports);
  if (status === 'ok' && !dryRun && promotion.state === 'active') await queues.expediteAdvance(promotion.id);
  if (status !== 'ok' && status !== 'already') return { status };
  return disabled?.kind === 'unknown' ? { status, unchecked: disabled.reason } : { status };
}

async function planChanged(id: string, seen: string, { store }: Records<LaneReads>): Promise<ApprovalResult> {
  const plan = (await store.promotion(id))?.plan;
  return {
    status: 'plan-changed',
    because: (plan && whyVoid(plan, seen)) ?? 'the plan has another digest now',
  };
}

/** The message that an approval does not count because its plan is not the current one. */
export function planChangedMessage(because: string): string {
  return `the plan of the promotion changed since it was shown: ${because}; look at it again`;
}

/** The failure if GitHub did not say whether an approver is in a team. The job of the approval is then run again. */
export function teamUnknown(reason: string): Failure {
  return new Failure('github-failed', {
    message: `The approval waits, because GitHub does not say who is in the approvers’ team: ${reason}`,
    hint: 'The worker tries again by itself. If GitHub is up, give the worker’s token or GitHub App the permission "members: read" in the organization.',
  });
}
