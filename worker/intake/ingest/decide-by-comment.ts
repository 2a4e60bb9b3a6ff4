import {
  type ApprovalPorts,
  planChangedMessage,
  recordApproval,
  teamUnknown,
} from '../../promotion/decisions/record-approval.ts';
import type { Decider } from '../../promotion/decisions/find-approver.ts';
import { recordRejection } from '../../promotion/decisions/record-rejection.ts';
import type { Seen } from '../../store/gates/gate-decisions.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import { countApprovals } from '../../promotion/gates/count-approvals.ts';
import { currentPolicy } from '../../promotion/gates/current-policy.ts';
import { disabledMessage } from '../../promotion/live/check-disabled.ts';
import { alreadyApproved, approvalRefusals } from '../../promotion/decisions/approval-refusals.ts';
import { commandOf, type CommentEvent, textBelow } from '../../records/comment-event.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { Policy, Records } from '../../promotion/context/ports.ts';
import { lastChange, namesPlan, planId } from '../../records/promotion-plan.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';

interface CommentContext {
  readonly github: Pick<GitHubPort, 'repository' | 'people' | 'pulls' | 'comments'>;
  readonly ports: ApprovalPorts;
}

/**
 * A comment processed within this time of GitHub's clock refers to the current state. GitHub's clock may be off
 * by as much.
 */
const freshMs = 120_000;

/**
 * Records the approval or the rejection that a comment asks for. The author must be allowed to decide, and exactly
 * one promotion must be meant: it waits for approval, belongs to the pull request's head or merge commit, and had
 * its version when the comment was written. A late comment (delivered or replayed after a delay) counts only if it
 * is unchanged and the pull request was merged before it, so that what the author saw is certain. Otherwise nothing
 * changes. Returns the result as text. Throws errors of GitHub; the job is then retried.
 */
export async function decideByComment(
  event: CommentEvent,
  { github, ports }: CommentContext,
): Promise<string> {
  const { author, command, pull } = event;
  const isLate = ports.clock.now() - event.createdAt > freshMs;
  const { fullName } = await github.repository(event.repositoryId);
  const permission = await github.people.accessOf(fullName, author.login);
  if (permission?.id !== author.id)
    return 'nothing was done: GitHub does not know the author as a user of the repository';
  if (!permission.mayWrite) return 'nothing was done: the author has no write access to the repository';
  const commits = await github.pulls.commits(fullName, pull);
  if (commits === undefined) return 'nothing was done: GitHub did not find the pull request';
  // Only GitHub keeps the text until it is known that the author may decide.
  const { comment: id, createdAt: since } = event;
  const readText = () => github.comments.textOf(fullName, { pull, id, since });
  let text: string | undefined;
  if (isLate) {
    // The pull request may have had another head then, and no record shows which.
    if (commits.mergedAt === undefined || commits.mergedAt > event.createdAt)
      return 'nothing was done: the comment arrived late, and the version that its author saw is not known; comment again';
    text = await readText();
    const still = text === undefined ? undefined : commandOf(text);
    if (still?.act !== command.act || still.lane !== command.lane || still.plan !== command.plan)
      return 'nothing was done: the comment was deleted or changed';
  }
  const waiting = (await waitingPromotions(event, ports)).filter(
    ({ task }) =>
      [commits.head, commits.merged].includes(task.commit) &&
      (command.lane === undefined || command.lane === task.lane.name),
  );
  const [promotion] = waiting;
  if (promotion === undefined)
    return 'nothing was done: no promotion of this pull request waits for approval';
  if (waiting.length > 1) {
    const lanes = waiting
      .map(({ task }) => task.lane.name)
      .toSorted()
      .join(', ');
    return `nothing was done: ${waiting.length} promotions wait for approval; name one of the lanes ${lanes}`;
  }
  const who = { name: author.login, via: 'comment', githubId: author.id } as const;
  const seen = { promotion: promotion.id, commit: promotion.task.commit, version: promotion.version ?? '' };
  const plan = command.act === 'approve' ? planSeenBy(event, promotion) : {};
  if ('refusal' in plan) return `nothing was done: ${plan.refusal}`;
  text ??= await readText();
  const written = text === undefined ? undefined : textBelow(text);
  return command.act === 'reject'
    ? reject(who, seen, written, ports)
    : approve({ ...who, comment: written }, { ...seen, ...plan }, ports);
}

async function reject(
  who: Decider,
  seen: Seen,
  reason: string | undefined,
  ports: ApprovalPorts,
): Promise<string> {
  if (reason === undefined)
    return 'nothing was done: a rejection needs a reason; comment again with the reason below the command';
  const rejection = await recordRejection(who, seen, reason, ports);
  if (rejection.status === 'team-unknown') throw teamUnknown(rejection.reason);
  return rejection.status === 'ok'
    ? `rejected promotion ${seen.promotion}`
    : `nothing was done: ${approvalRefusals[rejection.status]}`;
}

async function approve(who: Decider, seen: Seen, ports: ApprovalPorts): Promise<string> {
  const approval = await recordApproval(who, seen, ports);
  // The job is retried.
  if (approval.status === 'team-unknown') throw teamUnknown(approval.reason);
  if (approval.status === 'disabled')
    return `nothing was done: ${disabledMessage(seen.version, approval.environment)}`;
  if (approval.status === 'plan-changed') return `nothing was done: ${planChangedMessage(approval.because)}`;
  if (approval.status === 'ok') return `approved promotion ${seen.promotion}`;
  return `nothing was done: ${approval.status === 'already' ? alreadyApproved : approvalRefusals[approval.status]}`;
}

/**
 * The plan that a comment is about: the one that it names, otherwise the one that the pull request showed last before it was written. A
 * plan that never changed is the only one that its author can mean.
 */
function planSeenBy(
  event: CommentEvent,
  { plan }: Pick<PromotionRecord, 'plan'>,
): { readonly plan?: string } | { readonly refusal: string } {
  const { plan: named } = event.command;
  if (named !== undefined)
    return plan !== undefined && namesPlan(named, plan)
      ? { plan: plan.digest }
      : {
          refusal: `the plan of the promotion is not plan:${planId(named)} any more. Look at the new plan, and decide again`,
        };
  if (plan === undefined) return {};
  const { digest, shown, changes, at } = plan;
  const shownSince = shown?.digest === digest ? shown.at : undefined;
  const since = changes.length === 0 ? at : shownSince;
  if (since !== undefined && since <= writtenAt(event)) return { plan: digest };
  return {
    refusal: `the pull request did not show the plan yet when the comment was written${lastChange(plan)}; look at the plan, and comment again`,
  };
}

/** The time at which the comment was written, by our clock: a promotion must be older to have been visible. */
function writtenAt({ createdAt, receivedAt }: CommentEvent): number {
  // Use our own clock if the comment arrived at once: promotions are dated by it too.
  return receivedAt - createdAt > freshMs ? createdAt : receivedAt;
}

/**
 * Promotions of the repository that still need an approval and existed, with their version, when the comment
 * was written.
 */
async function waitingPromotions(
  event: CommentEvent,
  { store, config }: Records<LaneReads> & Pick<Policy, 'config'>,
): Promise<readonly PromotionRecord[]> {
  const seenAt = writtenAt(event);
  const promotions = await Promise.all((await store.openIds()).map((id) => store.promotion(id)));
  return promotions
    .filter((promotion) => promotion !== undefined)
    .filter((promotion) => {
      if (promotion.task.repository.id !== event.repositoryId || promotion.createdAt > seenAt) return false;
      if (promotion.versionAt === undefined || promotion.versionAt > seenAt) return false;
      if (promotion.state !== 'queued' && promotion.state !== 'active') return false;
      if (!['resolve', 'promote'].includes(promotion.step.name) || promotion.intent !== undefined)
        return false;
      const rules = currentPolicy(promotion.task, config);
      if (rules === undefined || promotion.version === undefined) return false;
      const { given: approvedBy, needed } = countApprovals(promotion, rules);
      return approvedBy.length < needed;
    });
}
