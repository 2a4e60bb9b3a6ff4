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
import { disabledMessage } from '../../promotion/live/check-disabled.ts';
import { alreadyApproved, approvalRefusals } from '../../promotion/decisions/approval-refusals.ts';
import { commentName, type CommentResult } from '../../records/comment-answer.ts';
import { commandOf, type CommentEvent, textBelow } from '../../records/comment-event.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { lastChange, namesPlan, planId } from '../../records/promotion-plan.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import { laneOf, type OpenPromotion, promotionsOfPull } from './promotions-of-pull.ts';

interface CommentContext {
  readonly github: Pick<GitHubPort, 'repository' | 'people' | 'pulls' | 'comments'>;
  readonly ports: ApprovalPorts;
}

/**
 * A comment processed within this time of GitHub's clock refers to the current state. GitHub's clock may be off
 * by as much.
 */
const freshMs = 120_000;

/** What a command did: `text` for the log, `says` for the author, and the promotions whose plans the author may want to see. */
interface Done {
  readonly text: string;
  readonly says: string;
  readonly promotions: readonly string[];
}

/**
 * Does what a comment asks for: records the approval or the rejection, or only finds the promotions whose plans it asks for.
 * The author must be allowed to decide, and exactly one promotion must be meant: it waits for approval, belongs to the
 * pull request's head or merge commit, and had its version when the comment was written. A late comment (delivered or
 * replayed after a delay) counts only if it is unchanged and the pull request was merged before it, so that what the
 * author saw is certain. Otherwise nothing changes. If the same comment has decided before, the result is the same again.
 * The result has an answer if worker.yaml asks for answers and the author may write to the repository. Throws errors of
 * GitHub; the job is then retried.
 */
export async function decideByComment(event: CommentEvent, context: CommentContext): Promise<CommentResult> {
  const { github, ports } = context;
  const { author, command, repositoryId, pull, comment, createdAt } = event;
  const withoutAnswer = (reason: string): CommentResult => ({
    text: `nothing was done: ${reason}`,
    answer: undefined,
  });
  const hasAnswers = ports.config.github.answerComments;
  if (!hasAnswers && command.act === 'unknown')
    return withoutAnswer('the comment contains no command that the worker knows');
  if (!hasAnswers && command.act === 'plan')
    return withoutAnswer('the worker answers no comments; worker.yaml needs github.answer-comments');
  const { fullName } = await github.repository(repositoryId);
  const permission = await github.people.accessOf(fullName, author.login);
  // A stranger gets no answer: anyone may comment on a public repository.
  if (permission?.id !== author.id)
    return withoutAnswer('GitHub does not know the author as a user of the repository');
  if (!permission.mayWrite) return withoutAnswer('the author has no write access to the repository');
  const { text, says, promotions } = await decide(event, fullName, context);
  const answer = { repositoryId, pull, comment, createdAt, text: says, promotions };
  return { text, answer: hasAnswers ? answer : undefined };
}

/** Does what the comment of a person who may write to the repository asks for. */
async function decide(
  event: CommentEvent,
  fullName: string,
  { github, ports }: CommentContext,
): Promise<Done> {
  const { author, command, pull, repositoryId } = event;
  if (command.act === 'unknown') return nothing(unknownCommand);
  const decided = await ports.store.decidedBy(commentName(event));
  if (decided !== undefined) return decidedNow(command.act, decided, await ports.store.promotion(decided));
  const commits = await github.pulls.commits(fullName, pull);
  if (commits === undefined) return nothing('GitHub did not find the pull request');
  const ofPull = { repositoryId, commits: [commits.head, commits.merged].filter((sha) => sha !== undefined) };
  if (command.act === 'plan') return showPlans(event, ofPull, ports);
  // Only GitHub keeps the text until it is known that the author may decide.
  const { comment: id, createdAt: since } = event;
  const readText = () => github.comments.textOf(fullName, { pull, id, since });
  let text: string | undefined;
  if (ports.clock.now() - event.createdAt > freshMs) {
    // The pull request may have had another head then, and no record shows which.
    if (commits.mergedAt === undefined || commits.mergedAt > event.createdAt)
      return nothing(
        'the comment arrived late, and the version that its author saw is not known; comment again',
      );
    text = await readText();
    if (text === undefined || !hasCommand(text, command)) return nothing(commentChanged);
  }
  const open = await promotionsOfPull(ofPull, ports);
  const all = open.filter(({ promotion, waits }) => waits && wasThere(promotion, event));
  const waiting = all
    .map(({ promotion }) => promotion)
    .filter((promotion) => command.lane === undefined || command.lane === laneOf(promotion));
  const [promotion] = waiting;
  if (promotion === undefined)
    return nothing(nothingWaits(command, { waiting: lanesOf(all), ending: lanesOf(open.filter(isEnding)) }));
  if (waiting.length > 1)
    return nothing(
      `${waiting.length} promotions wait for approval; name one of the lanes ${waiting.map(laneOf).join(', ')}`,
      waiting.map((one) => one.id),
    );
  const plan = command.act === 'approve' ? planSeenBy(event, promotion) : {};
  if ('refusal' in plan) return nothing(plan.refusal, [promotion.id]);
  text ??= await readText();
  // GitHub may list a new comment late. If it does list it, what it says now is known.
  if (text !== undefined && !hasCommand(text, command)) return nothing(commentChanged);
  if (text === undefined && command.act === 'reject')
    return nothing('GitHub does not show the comment, which must have the reason; comment again');
  const written = text === undefined ? undefined : textBelow(text);
  const who = { name: author.login, via: 'comment', githubId: author.id } as const;
  const seen = { promotion: promotion.id, commit: promotion.task.commit, version: promotion.version ?? '' };
  const decision = { promotion, comment: commentName(event) };
  return command.act === 'reject'
    ? reject(who, seen, written, { ...decision, ports })
    : approve({ ...who, comment: written }, { ...seen, ...plan }, { ...decision, ports });
}

const commentChanged = 'the comment was deleted or changed';

/** Whether the text of a comment still has the command. */
function hasCommand(text: string, { act, lane, plan }: CommentEvent['command']): boolean {
  const now = commandOf(text);
  return now?.act === act && now.lane === lane && now.plan === plan;
}

interface Deciding {
  readonly promotion: PromotionRecord;
  /** The name of the comment. */
  readonly comment: string;
  readonly ports: ApprovalPorts;
}

async function reject(
  who: Decider,
  seen: Seen,
  reason: string | undefined,
  { promotion, comment, ports }: Deciding,
): Promise<Done> {
  if (reason === undefined)
    return nothing('a rejection needs a reason; comment again with the reason below the command');
  const rejection = await recordRejection(who, seen, reason, ports, { comment });
  if (rejection.status === 'team-unknown') throw teamUnknown(rejection.reason);
  return rejection.status === 'ok'
    ? decidedNow('reject', seen.promotion, promotion)
    : nothing(approvalRefusals[rejection.status]);
}

async function approve(who: Decider, seen: Seen, { promotion, comment, ports }: Deciding): Promise<Done> {
  const approval = await recordApproval(who, seen, ports, { comment });
  // The job is retried.
  if (approval.status === 'team-unknown') throw teamUnknown(approval.reason);
  if (approval.status === 'disabled') return nothing(disabledMessage(seen.version, approval.environment));
  if (approval.status === 'plan-changed')
    return nothing(planChangedMessage(approval.because), [seen.promotion]);
  if (approval.status === 'ok') return decidedNow('approve', seen.promotion, promotion);
  return approval.status === 'already'
    ? nothing(alreadyApproved, [seen.promotion])
    : nothing(approvalRefusals[approval.status]);
}

/** The plans that the pull request's promotions have now, also of promotions that have all approvals but wait for another gate. */
async function showPlans(
  { command }: CommentEvent,
  ofPull: Parameters<typeof promotionsOfPull>[0],
  ports: ApprovalPorts,
): Promise<Done> {
  const open = await promotionsOfPull(ofPull, ports);
  const all = open.filter((one) => !isEnding(one));
  const shown = all
    .map(({ promotion }) => promotion)
    .filter((promotion) => command.lane === undefined || command.lane === laneOf(promotion));
  if (shown.length === 0)
    return nothing(nothingWaits(command, { waiting: lanesOf(all), ending: lanesOf(open.filter(isEnding)) }));
  return {
    text: `showed the plans of ${numberOf(shown.length, 'promotion')}`,
    says: `${numberOf(shown.length, 'promotion')} of this pull request ${shown.length === 1 ? 'needs' : 'need'} approvals. Nothing was changed.`,
    promotions: shown.map(({ id }) => id),
  };
}

function nothing(reason: string, promotions: readonly string[] = []): Done {
  const text = `nothing was done: ${reason}`;
  return { text, says: `N${text.slice(1)}.`, promotions };
}

/** Also if the decision was made before the worker could answer; the promotion may have been removed since. */
function decidedNow(
  act: 'approve' | 'reject' | 'plan',
  id: string,
  promotion: PromotionRecord | undefined,
): Done {
  const what =
    promotion === undefined
      ? `promotion ${id}`
      : `the promotion of ${promotion.version ?? 'its version'} to ${promotion.task.lane.to} in the lane ${laneOf(promotion)}`;
  return {
    text: `${act === 'reject' ? 'rejected' : 'approved'} promotion ${id}`,
    says:
      act === 'reject' ? `The comment rejects ${what}. The promotion ends.` : `The comment approves ${what}.`,
    promotions: act === 'reject' ? [] : [id],
  };
}

const unknownCommand =
  'the comment contains no command that the worker knows. Write one command alone on the first line: /millrace approve, /millrace reject or /millrace plan, each also with the name of a lane';

/** Both are names of lanes. `ending`: the promotion there was rejected or cancelled, and has not ended yet. */
function nothingWaits(
  { lane }: CommentEvent['command'],
  { waiting, ending }: { readonly waiting: readonly string[]; readonly ending: readonly string[] },
): string {
  const inLane = lane === undefined ? '' : ` in the lane ${lane}`;
  const others =
    waiting.length === 0 || lane === undefined ? '' : `; promotions wait in ${waiting.join(', ')}`;
  const ended = ending.filter((name) => lane === undefined || name === lane);
  const why =
    ended.length === 0
      ? ''
      : `; what waited in ${ended.join(', ')} was rejected or cancelled, and is about to end`;
  return `no promotion of this pull request waits for approval${inLane}${others}${why}`;
}

const lanesOf = (open: readonly OpenPromotion[]): readonly string[] =>
  open.map(({ promotion }) => laneOf(promotion));

const isEnding = (open: OpenPromotion): boolean => open.isEnding;

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

/** Whether a promotion existed, with its version, when the comment was written. */
function wasThere({ createdAt, version, versionAt }: PromotionRecord, event: CommentEvent): boolean {
  const seenAt = writtenAt(event);
  return createdAt <= seenAt && version !== undefined && versionAt !== undefined && versionAt <= seenAt;
}
