import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { Reporting } from '../../store/reports/reporting.ts';
import { createHash } from 'node:crypto';
import type { NotificationKind } from '../../../lib/config/worker/notify-schema.ts';
import type { Clock, Logger, Random } from '../../../lib/core/ports/ports.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import { noticeKindOf, notificationOf } from './notification.ts';
import type { Outbox } from './outbox.ts';
import type { Poster } from './post-notification.ts';
import { signNotification } from './sign-notification.ts';

/** A target of `notify` in worker.yaml. Its address and secret are read again for each notification. */
export interface NotifyTarget {
  readonly url: () => string;
  readonly secret: () => string;
  readonly events: readonly NotificationKind[];
}

export interface NotifierContext {
  /** The targets of worker.yaml as it is now. */
  readonly targets: () => readonly NotifyTarget[];
  readonly outbox: Outbox;
  readonly store: Pick<LaneReads, 'promotion'> & Pick<Reporting, 'noteReport'>;
  readonly post: Poster;
  readonly needsApproval: (promotion: PromotionRecord) => boolean;
  readonly url: () => string | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Sends notifications about promotions that need attention to other systems. */
export interface Notifier {
  /** Queues the notifications about a promotion. May be called at any time: each one is sent once. */
  offer(promotion: PromotionRecord): Promise<void>;
  /** Sends the due notifications. */
  sendDue(): Promise<void>;
}

const minute = 60_000;
/** Delays between attempts; after the last one the notification is given up. About a day in total. */
const waitsMs = [
  5_000,
  30_000,
  2 * minute,
  10 * minute,
  30 * minute,
  60 * minute,
  180 * minute,
  360 * minute,
  720 * minute,
];
const leaseMs = minute;
/** How often to look without a target: only notifications to targets that were removed can be left. */
const withoutTargetMs = minute;

export function createNotifier(context: NotifierContext): Notifier {
  const { targets, outbox, store, post, needsApproval, clock, random, logger } = context;
  const nameOf = (target: NotifyTarget): string => digest(target.url()).slice(0, 12);
  let checkedAt = Number.NEGATIVE_INFINITY;

  async function send(id: string, tries: number): Promise<void> {
    const [targetName, kind, promotionId = ''] = id.split('|');
    const target = targets().find((candidate) => nameOf(candidate) === targetName);
    const promotion = await store.promotion(promotionId);
    const now = promotion === undefined ? undefined : noticeKindOf(promotion, needsApproval(promotion));
    // The target was removed from worker.yaml, or the promotion was approved in between.
    if (target === undefined || promotion === undefined || now === undefined || now !== kind) {
      await outbox.remove(id);
      return;
    }
    const body = JSON.stringify(notificationOf(promotion, now, { url: context.url(), now: clock.now() }));
    // The same id for every attempt, so that the receiver can detect a repetition.
    const signed = { id: `msg_${digest(id).slice(0, 24)}`, body, now: clock.now() };
    const posted = await post(target.url(), signNotification(target.secret(), signed), body);
    const fields = { promotion_id: promotionId, event: kind, tries };
    if (posted.status === 'delivered') {
      await outbox.remove(id);
      logger.info('Notification delivered.', fields);
      return;
    }
    const wait = posted.status === 'gone' ? undefined : waitsMs[tries - 1];
    const reason = posted.status === 'refused' ? posted.reason : 'the receiver answered 410';
    logger.warn('Notification refused.', { ...fields, reason, given_up: wait === undefined });
    if (wait !== undefined) {
      await outbox.later(id, Math.round(wait * (0.75 + random() / 2)));
      return;
    }
    await store.noteReport(promotionId, 'notification-given-up', reason);
    await outbox.remove(id);
  }

  return {
    async offer(promotion) {
      const kind = noticeKindOf(promotion, needsApproval(promotion));
      if (kind === undefined) return;
      for (const target of targets()) {
        if (target.events.includes(kind)) await outbox.offer(`${nameOf(target)}|${kind}|${promotion.id}`);
      }
    },
    async sendDue() {
      const now = clock.now();
      if (targets().length === 0 && Math.abs(now - checkedAt) < withoutTargetMs) return;
      checkedAt = now;
      for (;;) {
        const due = await outbox.take(leaseMs);
        if (due === undefined) return;
        await send(due.id, due.tries);
      }
    },
  };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
