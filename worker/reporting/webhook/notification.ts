import { z } from 'zod';
import { oneLine } from '../../../lib/core/text/sanitize-text.ts';
import { shorten } from '../../../lib/core/text/shorten.ts';
import type { NotificationKind } from '../../../lib/config/worker/notify-schema.ts';
import { promotionUrl } from '../github/channels/status-update.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';

/** The body of an outgoing webhook. Its texts come from outside, so receivers must escape them. */
export const notificationSchema = z
  .object({
    type: z
      .enum(['promotion.failed', 'promotion.needs-approval', 'promotion.indeterminate'])
      .describe('Event type. `promotion.failed` also covers errors of the worker (outcome `error`).'),
    timestamp: z.iso.datetime().describe('Time of the event.'),
    data: z.object({
      promotion: z.string().describe('Id of the promotion.'),
      lane: z.string(),
      repository: z.object({ id: z.int(), name: z.string() }),
      project: z.string(),
      ref: z.string(),
      commit: z.string(),
      version: z.string().nullable(),
      from: z.string().describe('Source environment.'),
      to: z.string().describe('Target environment.'),
      outcome: z.string().nullable().describe('Outcome of the promotion; null while it waits.'),
      message: z.string().max(1_000).describe('One sentence for people.'),
      url: z
        .string()
        .nullable()
        .describe('Page of the promotion on the worker; null without `url` in worker.yaml.'),
    }),
  })
  .describe('Body that the worker sends to the webhooks of `notify` in worker.yaml.');

export type Notification = z.infer<typeof notificationSchema>;

/** The kind of notification that a promotion's state requires; undefined if none is needed. */
export function noticeKindOf(
  { outcome }: Pick<PromotionRecord, 'outcome'>,
  needsApproval: boolean,
): NotificationKind | undefined {
  if (outcome === 'failed' || outcome === 'error') return 'failed';
  if (outcome === 'indeterminate') return 'indeterminate';
  return outcome === undefined && needsApproval ? 'needs-approval' : undefined;
}

/** Builds the body of a notification. Every text is cut, so that the body's size is limited. */
export function notificationOf(
  promotion: PromotionRecord,
  kind: NotificationKind,
  { url, now }: { readonly url: string | undefined; readonly now: number },
): Notification {
  const { task } = promotion;
  const text = (value: string, limit = 300): string => shorten(oneLine(value), limit);
  return {
    type: `promotion.${kind}`,
    timestamp: new Date(promotion.endedAt ?? now).toISOString(),
    data: {
      promotion: promotion.id,
      lane: text(task.lane.name),
      repository: { id: task.repository.id, name: text(task.repository.fullName) },
      project: task.lane.project,
      ref: text(task.ref, 1_024),
      commit: task.commit,
      version: promotion.version === undefined ? null : text(promotion.version),
      from: text(task.lane.from),
      to: text(task.lane.to),
      outcome: promotion.outcome ?? null,
      message: text(promotion.message ?? promotion.report.text, 1_000),
      url: promotionUrl(url, promotion.id) ?? null,
    },
  };
}
