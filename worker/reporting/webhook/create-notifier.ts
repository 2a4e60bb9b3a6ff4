import { createHash } from 'node:crypto';
import type { NotificationKind } from '../../../lib/config/notify-schema.ts';
import type { Clock, Logger, Random } from '../../../lib/core/ports.ts';
import type { LaneStore } from '../../store/lane-store.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import { noticeKindOf, notificationOf } from './notification.ts';
import type { Outbox } from './outbox.ts';
import type { Poster } from './post-notification.ts';
import { signNotification } from './sign-notification.ts';

/** Who is told, as worker.yaml says; address and secret are read anew each time. */
export interface NotifyTarget {
  readonly url: () => string;
  readonly secret: () => string;
  readonly events: readonly NotificationKind[];
}

export interface NotifierContext {
  readonly targets: readonly NotifyTarget[];
  readonly outbox: Outbox;
  readonly store: Pick<LaneStore, 'promotion' | 'noteReport'>;
  readonly post: Poster;
  readonly needsApproval: (promotion: PromotionRecord) => boolean;
  readonly url: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Tells other systems what people have to see to. */
export interface Notifier {
  /** Puts in what there is to tell of a promotion. May be called at any time: each thing is told once. */
  offer(promotion: PromotionRecord): Promise<void>;
  /** Sends what is due. */
  sendDue(): Promise<void>;
}

const minute = 60_000;
/** Waits between tries; after the last of them it is given up. In all about a day. */
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

export function createNotifier(context: NotifierContext): Notifier {
  const { targets, outbox, store, post, needsApproval, clock, random, logger } = context;
  const nameOf = (target: NotifyTarget): string => digest(target.url()).slice(0, 12);

  async function send(id: string, tries: number): Promise<void> {
    const [targetName, kind, promotionId = ''] = id.split('|');
    const target = targets.find((one) => nameOf(one) === targetName);
    const promotion = await store.promotion(promotionId);
    const now = promotion === undefined ? undefined : noticeKindOf(promotion, needsApproval(promotion));
    // The target was taken out of worker.yaml, or somebody has approved meanwhile.
    if (target === undefined || promotion === undefined || now === undefined || now !== kind) {
      await outbox.remove(id);
      return;
    }
    const body = JSON.stringify(notificationOf(promotion, now, { url: context.url, now: clock.now() }));
    // The same for every try, so that the receiver can tell a second one.
    const signed = { id: `msg_${digest(id).slice(0, 24)}`, body, now: clock.now() };
    const posted = await post(target.url(), signNotification(target.secret(), signed), body);
    const fields = { promotion_id: promotionId, event: kind, tries };
    if (posted.status === 'taken') {
      await outbox.remove(id);
      logger.info('A notification was delivered.', fields);
      return;
    }
    const wait = posted.status === 'gone' ? undefined : waitsMs[tries - 1];
    const why = posted.status === 'refused' ? posted.why : 'it answered 410 and wants no more';
    logger.warn('A notification was not taken.', { ...fields, why, given_up: wait === undefined });
    if (wait !== undefined) {
      await outbox.later(id, Math.round(wait * (0.75 + random() / 2)));
      return;
    }
    await store.noteReport(promotionId, 'notification-given-up', why);
    await outbox.remove(id);
  }

  return {
    async offer(promotion) {
      if (targets.length === 0) return;
      const kind = noticeKindOf(promotion, needsApproval(promotion));
      if (kind === undefined) return;
      for (const target of targets) {
        if (target.events.includes(kind)) await outbox.offer(`${nameOf(target)}|${kind}|${promotion.id}`);
      }
    },
    async sendDue() {
      if (targets.length === 0) return;
      for (;;) {
        const due = await outbox.take(leaseMs);
        if (due === undefined) return;
        await send(due.id, due.tries);
      }
    },
  };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
