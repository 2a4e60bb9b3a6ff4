import type { Clock, Logger } from '../../../lib/core/ports.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import { failureDetails } from '../../../lib/github/failure-details.ts';
import type { Urgency, WriteBudget } from '../../rate-limit/write-budget.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import type { ReportRecords, SentUpdates } from './sent-updates.ts';
import { isOver, type StatusUpdate } from './status-update.ts';

/** Retry later: the write budget or the sender's lease is used up. */
export class NotYet extends Error {
  readonly ms: number;

  constructor(ms: number) {
    super(`Retry in ${ms} ms.`);
    this.ms = ms;
  }
}

/** One form in which GitHub shows a promotion. */
export interface Channel {
  readonly name: 'status' | 'check' | 'deployment';
  /**
   * Makes GitHub show the update. May be called again with the same update: sends nothing twice. Throws NotYet,
   * Failure.
   */
  send(update: StatusUpdate, sent: SentUpdates, writes: Writes): Promise<void>;
}

/** Writes of one sender about one promotion. */
export interface Writes {
  /** End of the sender's lease, in milliseconds since the epoch. */
  readonly leaseUntil: number;
  /** The writes of the same sender about another promotion. */
  about(promotion: PromotionRecord): Writes;
  /**
   * Performs one write within the budget. A mark is set before it and removed only after the answer. `then` is
   * stored with the answer.
   */
  write<T>(channel: Channel['name'], act: () => Promise<T>, then: (answer: T) => SentUpdates): Promise<T>;
}

export interface ChannelContext {
  readonly github: GitHubPort;
  readonly records: ReportRecords;
  readonly budget: WriteBudget;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Public address of the worker, as it is now. */
  readonly url: () => string | undefined;
}

/** The mark of a write whose result is unknown. */
export const openMark = (channel: Channel['name']): string => `${channel}Open`;

/**
 * @param times end of the sender's right to begin a write, and end of its lease, in milliseconds since the epoch
 */
export function openWrites(
  promotion: PromotionRecord,
  times: { readonly until: number; readonly leaseUntil: number },
  context: ChannelContext,
): Writes {
  const { github, records, budget, clock } = context;
  const { until, leaseUntil } = times;
  const urgency = urgencyOf(promotion);
  const waiter = { id: promotion.id, since: promotion.report.at ?? promotion.createdAt };
  return {
    leaseUntil,
    about: (other) => openWrites(other, times, context),
    async write(channel, act, then) {
      const account = await github.accountOf(promotion.plan.repository.fullName);
      if (clock.now() > until) throw new NotYet(100);
      const wait = await budget.take(account, urgency, waiter);
      if (wait > 0) throw new NotYet(wait);
      // Check again: the budget may have delayed it for long.
      if (clock.now() > until) throw new NotYet(100);
      await records.write(promotion.id, { [openMark(channel)]: String(promotion.report.seq) });
      try {
        const answer = await act();
        await records.write(promotion.id, { ...then(answer), [openMark(channel)]: '' });
        await budget.recovered(account);
        return answer;
      } catch (error) {
        const { refused, pauseMs } = failureDetails(error);
        if (refused) await records.write(promotion.id, { [openMark(channel)]: '' });
        if (pauseMs !== undefined) throw new NotYet(await budget.pause(account, pauseMs));
        throw error;
      }
    },
  };
}

function urgencyOf(promotion: PromotionRecord): Urgency {
  if (promotion.outcome === 'superseded') return 'superseded';
  return isOver({ promotion }) ? 'end' : 'progress';
}
