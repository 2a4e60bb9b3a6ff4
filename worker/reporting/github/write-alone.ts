import { failureDetails } from '../../../lib/github/failure-details.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import { type ChannelContext, NotYet, openMark, type Write } from './channel.ts';

/** Sends a write, which the budget of the account allowed, as a request of its own. Throws NotYet, Failure. */
export async function writeAlone(
  promotion: PromotionRecord,
  { channel, alone, counted }: Pick<Write, 'channel' | 'alone' | 'counted'>,
  account: string,
  { records, budget }: Pick<ChannelContext, 'records' | 'budget'>,
): Promise<void> {
  await records.write(promotion.id, { [openMark(channel)]: String(promotion.report.seq) });
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
