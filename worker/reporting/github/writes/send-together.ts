import { messageOf } from '../../../../lib/core/errors/message-of.ts';
import type { Failure } from '../../../../lib/core/errors/failure.ts';
import { failureDetails } from '../../../../lib/github/access/failure-details.ts';
import type { BatchedAnswer, BatchedWrite } from '../../../../lib/github/batches/write-batches.ts';
import type { Urgency } from '../../../rate-limit/write-budget.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';
import { repositoryCauses } from './repository-causes.ts';
import { aloneMark, type ChannelContext, NotYet, openMark, type Write } from '../channels/channel.ts';
import type { SentUpdates } from '../stores/sent-updates.ts';
import { begunMark, writeAlone } from './write-alone.ts';

/** A write that can be sent together with others in one request. */
export interface Part extends Pick<Write, 'channel' | 'alone'> {
  readonly promotion: PromotionRecord;
  readonly write: BatchedWrite;
  readonly stored: (node: string) => SentUpdates;
  readonly account: string;
  readonly urgency: Urgency;
  /** When what it writes became true, and the end of the right to begin it; in milliseconds since the epoch. */
  readonly since: number;
  readonly until: number;
}

/** A write whose sender waits for the answer. */
export interface Parked extends Part {
  resolve(): void;
  reject(error: unknown): void;
}

export interface TogetherContext extends Pick<ChannelContext, 'github' | 'records' | 'budget' | 'logger'> {
  /** GitHub does not take several writes of an account in one request. */
  readonly onNotPossible: (account: string) => void;
}

/**
 * Sends several writes of one account, which its budget has allowed, in one request; a single write goes through
 * the REST API. Each sender gets its own answer.
 */
export type SendTogether = (account: string, parts: readonly Parked[]) => Promise<void>;

/** How soon a write comes back that GitHub refused as a part of a request, in milliseconds. */
const aloneMs = 10;

export function createSendTogether(context: TogetherContext): SendTogether {
  const { github, records, budget, logger, onNotPossible } = context;

  async function mark(parts: readonly Parked[], text: (part: Parked) => string): Promise<void> {
    await Promise.all(
      parts.map((part) => records.write(part.promotion.id, { [openMark(part.channel)]: text(part) })),
    );
  }

  const sendAlone = ({ id }: PromotionRecord, channel: Part['channel']): Promise<void> =>
    records.write(id, { [aloneMark(channel)]: '1' });

  /** No write had an effect, or it is unknown which one had: their marks stay, and GitHub is read before the next attempt. */
  async function failAll(account: string, parts: readonly Parked[], error: unknown): Promise<unknown> {
    const { refused, pauseMs, cause } = failureDetails(error);
    if (refused) await mark(parts, () => '');
    if (pauseMs !== undefined || !refused) await budget.shrink(account, parts.length);
    if (pauseMs !== undefined) return new NotYet(await budget.pause(account, pauseMs));
    if (!refused) return error;
    if (repositoryCauses.has(cause)) {
      if (new Set(parts.map(({ write }) => write.repository)).size === 1) return error;
      // The next attempt of each write shows whether the failure is about its repository.
      await Promise.all(parts.map(async ({ promotion, channel }) => sendAlone(promotion, channel)));
      return new NotYet(aloneMs);
    }
    onNotPossible(account);
    logger.warn(
      'GitHub refused a request with several updates. For an hour, the worker sends each with a request of its own.',
      {
        account,
        error: messageOf(error),
      },
    );
    return new NotYet(aloneMs);
  }

  /** What the sender of a refused write is answered. */
  async function refuse({ promotion, channel }: Part, failure: Failure, pausedMs: number | undefined) {
    const isLimited = failureDetails(failure).pauseMs !== undefined;
    await records.write(promotion.id, { [openMark(channel)]: '' });
    if (!isLimited) await sendAlone(promotion, channel);
    return new NotYet(isLimited ? (pausedMs ?? 0) : aloneMs);
  }

  async function answerEach(
    account: string,
    parts: readonly Parked[],
    answers: readonly BatchedAnswer[],
  ): Promise<void> {
    const pauses = answers.flatMap((answer) =>
      answer.status === 'done' ? [] : [failureDetails(answer.failure).pauseMs ?? []].flat(),
    );
    if (pauses.length > 0) await budget.shrink(account, parts.length);
    const pausedMs = pauses.length === 0 ? undefined : await budget.pause(account, Math.max(...pauses));
    if (pausedMs === undefined) await budget.recovered(account);
    for (const [index, part] of parts.entries()) {
      const answer = answers[index];
      if (answer?.status === 'done') {
        const stored = { ...part.stored(answer.node), [openMark(part.channel)]: '' };
        await records.write(part.promotion.id, stored).then(part.resolve, part.reject);
      } else if (answer?.status === 'refused') part.reject(await refuse(part, answer.failure, pausedMs));
      else part.reject(answer?.failure);
    }
  }

  async function sendFirst(part: Parked, account: string): Promise<void> {
    const { promotion, channel, resolve, reject } = part;
    try {
      await records.write(promotion.id, begunMark(promotion, channel));
      await writeAlone(promotion, part, account, context);
      resolve();
    } catch (error) {
      reject(error);
    }
  }

  return async (account, parts) => {
    const [first] = parts;
    if (first === undefined) return;
    if (parts.length === 1) return sendFirst(first, account);
    try {
      await mark(parts, ({ promotion }) => String(promotion.report.seq));
      const answers = await github.writeTogether(parts.map(({ write }) => write));
      await answerEach(account, parts, answers);
    } catch (error) {
      const reason = await failAll(account, parts, error).catch((second: unknown) => second);
      for (const part of parts) part.reject(reason);
    }
  };
}
