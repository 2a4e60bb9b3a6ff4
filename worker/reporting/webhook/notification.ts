import { z } from 'zod';
import { oneLine } from '../../../lib/core/sanitize-text.ts';
import { shorten } from '../../../lib/github/foreign-text.ts';
import type { NotificationKind } from '../../../lib/config/notify-schema.ts';
import { promotionUrl } from '../github/status-update.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';

/** The body of an outgoing webhook. Its texts are foreign: escape them where they are shown. */
export const notificationSchema = z
  .object({
    type: z
      .enum(['promotion.failed', 'promotion.needs-approval', 'promotion.indeterminate'])
      .describe(
        'What happened. `promotion.failed` also where the worker itself could not go on (outcome `error`).',
      ),
    timestamp: z.iso.datetime().describe('When it happened.'),
    data: z.object({
      promotion: z.string().describe('Id of the promotion.'),
      lane: z.string(),
      repository: z.object({ id: z.int(), name: z.string() }),
      project: z.string(),
      ref: z.string(),
      commit: z.string(),
      version: z.string().nullable(),
      from: z.string().describe('Environment that the version comes from.'),
      to: z.string().describe('Environment that it goes to.'),
      outcome: z.string().nullable().describe('How the promotion ended; null while it waits.'),
      message: z.string().max(1_000).describe('One sentence for people.'),
      url: z.string().nullable().describe('The promotion on the worker, where worker.yaml gives its `url`.'),
    }),
  })
  .describe('What Millrace’s worker sends to the webhooks of `notify` in worker.yaml.');

export type Notification = z.infer<typeof notificationSchema>;

/** What a promotion has come to that people want to be told of; undefined where there is nothing. */
export function noticeKindOf(
  { outcome }: Pick<PromotionRecord, 'outcome'>,
  needsApproval: boolean,
): NotificationKind | undefined {
  if (outcome === 'failed' || outcome === 'error') return 'failed';
  if (outcome === 'indeterminate') return 'indeterminate';
  return outcome === undefined && needsApproval ? 'needs-approval' : undefined;
}

/** Bounded whatever the texts: every one of them is cut. */
export function notificationOf(
  promotion: PromotionRecord,
  kind: NotificationKind,
  { url, now }: { readonly url: string | undefined; readonly now: number },
): Notification {
  const { plan } = promotion;
  const text = (value: string, limit = 300): string => shorten(oneLine(value), limit);
  return {
    type: `promotion.${kind}`,
    timestamp: new Date(promotion.endedAt ?? now).toISOString(),
    data: {
      promotion: promotion.id,
      lane: text(plan.lane.name),
      repository: { id: plan.repository.id, name: text(plan.repository.fullName) },
      project: plan.lane.project,
      ref: text(plan.ref, 1_024),
      commit: plan.commit,
      version: promotion.version === undefined ? null : text(promotion.version),
      from: text(plan.lane.from),
      to: text(plan.lane.to),
      outcome: promotion.outcome ?? null,
      message: text(promotion.message ?? promotion.report.text, 1_000),
      url: promotionUrl(url, promotion.id) ?? null,
    },
  };
}
