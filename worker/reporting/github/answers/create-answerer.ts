import { Failure } from '../../../../lib/core/errors/failure.ts';
import type { Clock, Logger, Random } from '../../../../lib/core/ports/ports.ts';
import { failureDetails } from '../../../../lib/github/access/failure-details.ts';
import type { RefusalCause } from '../../../../lib/github/access/refusal-cause.ts';
import type { GitHubPort } from '../../../../lib/github/github-port.ts';
import type { FailureLog } from '../../../telemetry/failure-log.ts';
import type { WriteBudget } from '../../../rate-limit/write-budget.ts';
import type { CommentAnswer } from '../../../records/comment-answer.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';
import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type { Reporting } from '../../../store/reports/reporting.ts';
import { promotionUrl } from '../channels/status-update.ts';
import { answerBody, answerMarker } from './answer-body.ts';
import type { AnswerOutbox, TakenAnswer } from './answer-outbox.ts';

export interface AnswererContext {
  readonly github: Pick<GitHubPort, 'repository' | 'accountOf' | 'comments' | 'webUrl'>;
  readonly outbox: AnswerOutbox;
  readonly store: Pick<LaneReads, 'promotion'> & Pick<Reporting, 'notePlanShown'>;
  readonly budget: Pick<WriteBudget, 'take' | 'pause' | 'recovered'>;
  /** Whether worker.yaml asks for answers now. */
  readonly isOn: () => boolean;
  /** How many approvals a promotion still needs, as text; undefined if none. */
  readonly missingApprovals: (promotion: PromotionRecord) => string | undefined;
  /** Public address of the worker, as it is now. */
  readonly url: () => string | undefined;
  /** Masks the secrets that the worker knows. */
  readonly redact: (text: string) => string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly failures: FailureLog;
  /** Milliseconds for which an answer is tried. */
  readonly answerForMs: number;
  /** Milliseconds for which one sender has an answer. The write begins only in the first half, so that it ends in time. */
  readonly leaseMs: number;
}

/** Answers comments on pull requests. */
export interface Answerer {
  /** Queues an answer. May be called at any time: each comment gets one. */
  offer(answer: CommentAnswer): Promise<void>;
  /** Writes the due answers. */
  sendDue(): Promise<void>;
}

/** GitHub will never accept the answer: nothing but a person can change that. */
const permanentCauses: ReadonlySet<RefusalCause> = new Set(['locked', 'not-found', 'permission', 'no-app']);
const permanentStatuses = new Set([410, 422]);

/** An older comment may have been answered before Redis lost its data. */
const freshMs = 120_000;
/** Shortest delay between two attempts, and how much longer it becomes at most. */
const retryMs = 5_000;
const maxRetryMs = 300_000;
const lateMs = 100;
const work = 'answers to comments';
/** How often to look while answers are off: only those from before can be left. */
const whileOffMs = 60_000;

/**
 * Creates the writer of answers to comments. A comment gets one answer, also if its webhook arrives twice or a worker dies: a mark
 * is stored before the write, and while it is there, GitHub is read before anything is written again. The answer has the
 * plans as they are when it is written, and their promotions remember that the pull request shows them.
 */
export function createAnswerer(context: AnswererContext): Answerer {
  const { github, outbox, store, budget, clock, random, logger, failures, leaseMs, answerForMs } = context;
  let checkedAt = Number.NEGATIVE_INFINITY;

  /** Our answers to a comment, oldest first: several only if a sender was frozen while it wrote. */
  async function findAnswers(fullName: string, answer: CommentAnswer) {
    const marker = answerMarker(answer);
    return github.comments.findAll(
      fullName,
      answer.pull,
      async (comment) =>
        comment.body?.startsWith(marker) === true && (await github.comments.isOwn(fullName, comment)),
      { since: answer.createdAt },
    );
  }

  async function notePlans(plans: Readonly<Record<string, string>>, isShown: boolean): Promise<void> {
    for (const [promotion, plan] of Object.entries(plans))
      await store.notePlanShown(promotion, plan, isShown);
  }

  async function readPromotions({ promotions }: CommentAnswer) {
    const found = await Promise.all(promotions.map((id) => store.promotion(id)));
    return found
      .filter((promotion) => promotion !== undefined)
      .map((promotion) => ({
        promotion,
        missing: context.missingApprovals(promotion),
        address: promotionUrl(context.url(), promotion.id),
      }));
  }

  /** Removes what a frozen sender wrote twice. Returns whether GitHub has an answer. */
  async function isAnswered(fullName: string, answer: CommentAnswer): Promise<boolean> {
    const [first, ...others] = await findAnswers(fullName, answer);
    for (const { id } of others) await github.comments.remove(fullName, id);
    return first !== undefined;
  }

  /** Writes an answer, unless GitHub has it. Returns the milliseconds until the next attempt; undefined if it has ended. */
  async function write(taken: TakenAnswer, begun: number, onBegin: () => void): Promise<number | undefined> {
    const { answer, open } = taken;
    const { fullName } = await github.repository(answer.repositoryId);
    const isUncertain = open !== undefined || begun - answer.createdAt > freshMs;
    if (isUncertain && (await isAnswered(fullName, answer))) {
      await notePlans(open ?? {}, true);
      return undefined;
    }
    const parts = await readPromotions(answer);
    const { body, shown } = answerBody(answer, parts, { webUrl: github.webUrl, fullName });
    const plans = Object.fromEntries(
      shown.flatMap(({ id, plan }) => (plan === undefined ? [] : [[id, plan.digest] as const])),
    );
    const account = await github.accountOf(fullName);
    const waiter = { id: `answer ${taken.name}`, since: answer.createdAt };
    const wait = await budget.take(account, 'answer', waiter, { mark: outbox.mark(taken, plans) });
    if (wait > 0) return wait;
    // A comment for the plan that the pull request showed before must not count for this one.
    await notePlans(plans, false);
    // Check again: the budget may have delayed it for long. The mark stays: an earlier write may be open too.
    if (clock.now() > begun + leaseMs / 2) return lateMs;
    onBegin();
    await github.comments.create(fullName, answer.pull, context.redact(body));
    await budget.recovered(account);
    await notePlans(plans, true);
    return undefined;
  }

  /** Returns the milliseconds until the next attempt; undefined if the answer is given up. */
  async function retryDelay(
    { repositoryId, createdAt }: CommentAnswer,
    error: Failure,
  ): Promise<number | undefined> {
    const { status, cause, pauseMs } = failureDetails(error);
    const pausedMs =
      pauseMs === undefined ? 0 : await budget.pause(await github.accountOf(repositoryId), pauseMs);
    const age = clock.now() - createdAt;
    if (permanentCauses.has(cause) || permanentStatuses.has(status ?? 0) || age > answerForMs)
      return undefined;
    return Math.round(Math.max(retryMs * (1 + 2 * random()) + Math.min(age / 10, maxRetryMs), pausedMs));
  }

  async function send(taken: TakenAnswer): Promise<void> {
    const { repositoryId, pull, comment } = taken.answer;
    const fields = { repository_id: repositoryId, pull, comment };
    if (!context.isOn()) {
      // Another worker may have read worker.yaml since: a new answer is left to it.
      const isNew = clock.now() - taken.answer.createdAt < freshMs;
      return void (await outbox.give(taken, { laterMs: isNew ? retryMs : undefined }));
    }
    let hasBegun = false;
    try {
      const laterMs = await write(taken, clock.now(), () => (hasBegun = true));
      await outbox.give(taken, { laterMs });
      failures.worked(work);
      if (laterMs === undefined) logger.info('A comment was answered.', fields);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const laterMs = await retryDelay(taken.answer, error);
      // An earlier write may have taken effect, although GitHub does not list it yet.
      const hadNoEffect = taken.open === undefined && hasBegun && failureDetails(error).refused;
      await outbox.give(taken, { laterMs, hadNoEffect });
      const why = { ...fields, error: error.message, hint: error.hint };
      if (laterMs === undefined) logger.warn('The answer to a comment was given up.', why);
      else failures.failed(work, 'A comment could not be answered yet.', why);
    }
  }

  return {
    offer: (answer) => outbox.offer(answer),
    async sendDue() {
      const now = clock.now();
      if (!context.isOn() && Math.abs(now - checkedAt) < whileOffMs) return;
      checkedAt = now;
      for (;;) {
        const due = await outbox.take(leaseMs);
        if (due === undefined) return;
        await send(due);
      }
    },
  };
}
