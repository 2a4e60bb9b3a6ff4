import type { Urgency } from '../../../rate-limit/write-budget.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';
import type { Batch } from './batches.ts';
import { aloneMark, type ChannelContext, NotYet, type Writes } from '../channels/channel.ts';
import { isOver } from '../channels/status-update.ts';
import { begunMark, writeAlone } from './write-alone.ts';

/** The last moment at which the sender may begin a write, and the end of its lease, in milliseconds since the epoch. */
export interface SendTimes {
  readonly until: number;
  readonly leaseUntil: number;
}

/** How long the write of a companion waits for a turn of its own, in milliseconds; its job comes back by itself. */
const ownTurnMs = 1_000;

/** Opens the writes of one sender about one promotion. */
export function openWrites(
  promotion: PromotionRecord,
  times: SendTimes,
  batch: Batch,
  context: ChannelContext,
): Writes {
  const { github, records, budget, clock } = context;
  const { until, leaseUntil } = times;
  const urgency = urgencyOf(promotion);
  const since = promotion.report.at ?? promotion.createdAt;
  return {
    leaseUntil,
    about: (other) => openWrites(other, times, batch, context),
    async all(sends) {
      if (!batch.isPossible(await github.accountOf(promotion.task.repository.fullName))) {
        // The first write is the most important, and each takes a turn of its own.
        for (const send of sends) await send();
        return;
      }
      const failed = (await batch.all(sends)).find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    },
    async write({ channel, alone, together, counted }) {
      const account = await github.accountOf(promotion.task.repository.fullName);
      if (clock.now() > until) throw new NotYet(100);
      const mayShare = together !== undefined && batch.isPossible(account);
      if (mayShare && (await records.read(promotion.id))[aloneMark(channel)] === undefined)
        return batch.add({ promotion, channel, alone, ...together, account, urgency, since, until });
      // Its own job takes a turn in the order of the others.
      if (batch.isCompanion(promotion.id)) throw new NotYet(ownTurnMs);
      const mark = records.mark(promotion.id, begunMark(promotion, channel));
      const wait = await budget.take(account, urgency, { id: promotion.id, since }, { mark });
      if (wait > 0) throw new NotYet(wait);
      // Check again: the budget may have delayed it for long. The mark stays: an earlier write may be open too.
      if (clock.now() > until) throw new NotYet(100);
      return writeAlone(promotion, { channel, alone, counted }, account, context);
    },
  };
}

function urgencyOf(promotion: PromotionRecord): Urgency {
  if (promotion.outcome === 'superseded') return 'superseded';
  return isOver({ promotion }) ? 'end' : 'progress';
}
