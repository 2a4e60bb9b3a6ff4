import { failureDetails } from '../../../../lib/github/access/failure-details.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';
import type { SentUpdates } from '../stores/sent-updates.ts';
import { type ChannelContext, NotYet, openMark, type Write } from '../channels/channel.ts';

/** The mark that is stored when a write begins. */
export const begunMark = (promotion: PromotionRecord, channel: Write['channel']): SentUpdates => ({
  [openMark(channel)]: String(promotion.report.seq),
});

/**
 * Sends a write as a single request. The account's budget must have allowed it, and its mark must be set. Throws
 * NotYet, Failure.
 */
export async function writeAlone(
  promotion: PromotionRecord,
  { channel, alone, counted }: Pick<Write, 'channel' | 'alone' | 'counted'>,
  account: string,
  { records, budget }: Pick<ChannelContext, 'records' | 'budget'>,
): Promise<void> {
  try {
    const answer = await alone();
    await records.write(promotion.id, { ...answer, [openMark(channel)]: '' }, counted);
    await budget.recovered(account);
  } catch (error) {
    const { refused, pauseMs } = failureDetails(error);
    if (refused) await records.write(promotion.id, { [openMark(channel)]: '' });
    if (pauseMs !== undefined) throw new NotYet(await budget.pause(account, pauseMs));
    throw error;
  }
}
