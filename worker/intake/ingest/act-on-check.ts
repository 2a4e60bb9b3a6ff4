import {
  type ApprovalPorts,
  planChangedMessage,
  recordApproval,
  teamUnknown,
} from '../../promotion/decisions/record-approval.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { Outcome } from '../../../lib/core/outcomes/outcome.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { GateDecisions } from '../../store/gates/gate-decisions.ts';
import type { GitHubReads, PlatformCalls, Policy, Queues, Records } from '../../promotion/context/ports.ts';
import type { Admission } from '../../store/admission.ts';
import { disabledMessage } from '../../promotion/live/check-disabled.ts';
import { alreadyApproved, approvalRefusals } from '../../promotion/decisions/approval-refusals.ts';
import { retryPromotion, whyRetryGoesBack } from '../../promotion/admission/retry-promotion.ts';
import { lastChange } from '../../records/promotion-plan.ts';
import { approveIdentifier, type CheckEvent } from '../../records/check-event.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import { repositoryOf } from '../../store/lanes/lane-id.ts';

interface CheckContext {
  readonly github: Pick<GitHubPort, 'repository' | 'people'>;
  readonly ports: Records<Admission & GateDecisions & LaneReads> &
    PlatformCalls &
    Pick<Policy, 'config'> &
    Queues &
    GitHubReads;
  /** Shows a promotion on GitHub again: a check run that is re-run loses its conclusion there. */
  readonly showAgain: (promotion: PromotionRecord) => Promise<void>;
}

/** A later "Re-run" is not what the person wants now. An approval has no such limit: it names the version. */
const freshMs = 3_600_000;

/** A re-run of all check runs of a commit retries those that did not do their work. */
const retriedOutcomes: ReadonlySet<Outcome | undefined> = new Set<Outcome>(['failed', 'error', 'cancelled']);

/**
 * Does what a person requested with a button of a check run. "Re-run" retries the promotion, if the person may
 * write to the repository and the lane has accepted nothing newer. "Approve" counts like a comment of this person,
 * for the commit and the version of the check run. Returns the result as text. Throws errors of GitHub; the job is
 * then retried.
 */
export async function actOnCheck(event: CheckEvent, context: CheckContext): Promise<string> {
  const { github, ports, showAgain } = context;
  const { request, author } = event;
  const { fullName } = await github.repository(event.repositoryId);
  const promotions = await promotionsOf(event, ports);
  // Whatever comes of it: GitHub shows a check run that is re-run as queued until it is updated.
  if (request.act === 'retry') for (const promotion of promotions) await showAgain(promotion);
  if (promotions.length === 0)
    return 'nothing was done: the check run belongs to no promotion of this worker';
  const permission = await github.people.accessOf(fullName, author.login);
  if (permission?.id !== author.id)
    return 'nothing was done: GitHub does not know the person as a user of the repository';
  if (!permission.mayWrite) return 'nothing was done: the person has no write access to the repository';
  if (request.act === 'approve') return approve(event, promotions, ports);
  if (ports.clock.now() - event.receivedAt > freshMs)
    return 'nothing was done: the request arrived late; click "Re-run" again';
  const results: string[] = [];
  for (const promotion of promotions) results.push(await retry(event, promotion, ports));
  return results.join('; ');
}

/** The promotion of the check run, or the last one of each lane for the commit. */
async function promotionsOf(
  { request, repositoryId }: CheckEvent,
  { store }: Records<LaneReads>,
): Promise<readonly PromotionRecord[]> {
  const ids =
    request.promotion === undefined ? await lastPromotions(repositoryId, store) : [request.promotion];
  const promotions = await Promise.all(ids.map((id) => store.promotion(id)));
  return promotions
    .filter((promotion) => promotion !== undefined)
    .filter(({ task }) => task.repository.id === repositoryId && task.commit === request.commit)
    .filter(({ outcome }) => request.promotion !== undefined || retriedOutcomes.has(outcome));
}

async function lastPromotions(repositoryId: number, store: LaneReads): Promise<readonly string[]> {
  const lanes = (await store.laneIds()).filter((lane) => repositoryOf(lane) === repositoryId);
  const last = await Promise.all(lanes.map(async (lane) => (await store.lane(lane))?.lastPromotion));
  return last.filter((id) => id !== undefined);
}

async function retry(
  { author }: CheckEvent,
  promotion: PromotionRecord,
  ports: Records<Admission & LaneReads> & Queues,
): Promise<string> {
  const lane = await ports.store.lane(promotion.lane);
  const goesBack = whyRetryGoesBack(promotion, lane);
  // Each such retry needs an operator.
  if (goesBack === 'requested')
    return 'nothing was done: an operator requested this promotion, so only an operator may retry it';
  if (goesBack !== undefined)
    return `nothing was done: the lane has accepted a newer promotion, ${goesBack.newer}`;
  const expectedSeq = lane?.seq ?? 0;
  const retried = await retryPromotion(
    promotion.id,
    { by: author.login, via: 'check-run', expectedSeq },
    ports,
  );
  if (retried.status === 'changed')
    return 'nothing was done: the lane changed at the same time; click "Re-run" again';
  return retried.status === 'retried'
    ? `retried as promotion ${retried.promotion}`
    : `nothing was done: ${retryRefusals[retried.status]}`;
}

const retryRefusals = {
  unknown: 'the worker does not know this promotion',
  'not-finished': 'the promotion has not ended',
  lost: 'Redis lost the records of the lane, and the worker has not rebuilt it yet; re-run again later',
  'retried-before': 'the promotion was retried before; re-run the check of its retry',
} as const;

async function approve(
  { request, author }: CheckEvent,
  [promotion]: readonly PromotionRecord[],
  ports: ApprovalPorts,
): Promise<string> {
  const version = promotion?.version;
  if (promotion === undefined || version === undefined)
    return 'nothing was done: the promotion now has another version than the check run showed';
  const { plan } = promotion;
  const hasPlan = plan !== undefined && request.identifier === approveIdentifier(version, plan);
  // A check run from before the plan shows the version only.
  if (!hasPlan && request.identifier !== approveIdentifier(version))
    return `nothing was done: the promotion now has another version or another plan than the check run showed${lastChange(plan)}`;
  const who = { name: author.login, via: 'check-run', githubId: author.id } as const;
  const seen = {
    promotion: promotion.id,
    commit: request.commit,
    version,
    ...(hasPlan ? { plan: plan.digest } : {}),
  };
  const approval = await recordApproval(who, seen, ports);
  // The job is retried.
  if (approval.status === 'team-unknown') throw teamUnknown(approval.reason);
  if (approval.status === 'disabled')
    return `nothing was done: ${disabledMessage(version, approval.environment)}`;
  if (approval.status === 'plan-changed') return `nothing was done: ${planChangedMessage(approval.because)}`;
  if (approval.status === 'ok') return `approved promotion ${promotion.id}`;
  return `nothing was done: ${approval.status === 'already' ? alreadyApproved : approvalRefusals[approval.status]}`;
}
