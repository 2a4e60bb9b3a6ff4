import { createHash } from 'node:crypto';
import type { PromotionRecord } from '../../../records/promotion-record.ts';
import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import { type Channel, type ChannelContext, NotYet, openMark } from './channel.ts';
import { checkContent } from './check-content.ts';
import { isOver, promotionUrl } from './status-update.ts';
import { reportName } from '../../../records/promotion-task.ts';

/**
 * Shows promotions as check runs, one for each lane and commit: created once, then updated. If the answer to the
 * creation was lost, the check run is found by its external id, which is the promotion's id.
 */
export function checkChannel(
  { github, records, url }: ChannelContext,
  store: Pick<LaneReads, 'history'>,
  needsApproval: (promotion: PromotionRecord) => boolean,
): Channel {
  return {
    name: 'check',
    async send(update, sent, { write }) {
      const { promotion } = update;
      const { id: repository, fullName } = promotion.task.repository;
      const address = promotionUrl(url(), promotion.id);
      const content = checkContent(update, {
        events: await store.history({ promotion: promotion.id }),
        address,
        needsApproval: needsApproval(promotion),
        webUrl: github.webUrl,
      });
      const digest = createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
      const open = (sent[openMark('check')] ?? '') !== '';
      const about = {
        commit: promotion.task.commit,
        name: reportName(promotion.task.lane),
        externalId: promotion.id,
      };

      // Its global id: nothing else is known of a check run that was created together with others.
      const node = sent['checkNode'] ?? '';
      let id = Number(sent['checkId'] ?? 0);
      async function find(): Promise<void> {
        id = (await github.checks.find(fullName, about)) ?? 0;
        if (id !== 0) await records.write(promotion.id, { checkId: String(id) });
      }
      if (id === 0 && open) await find();
      if (id === 0 && (node === '' || open)) {
        const check = { ...content, ...about, detailsUrl: address };
        return write({
          channel: 'check',
          async alone() {
            const made = await github.checks.create(fullName, check);
            return { checkId: String(made.id), checkNode: made.node ?? '', checkDigest: digest };
          },
          together: {
            write: { repository, kind: 'create-check', check },
            stored: (made) => ({ checkNode: made, checkDigest: digest }),
          },
        });
      }
      if (sent['checkDigest'] === digest) return;
      if (open && isOver(update)) {
        const shown = await github.checks.read(fullName, id);
        if (shown?.conclusion === content.conclusion && shown?.title === content.title) {
          await records.write(promotion.id, { checkDigest: digest, [openMark('check')]: '' });
          return;
        }
      }
      await write({
        channel: 'check',
        async alone() {
          if (id === 0) await find();
          // The mark of the write stays: the next attempt creates it again.
          if (id === 0) throw new NotYet(100);
          const updated = await github.checks.update(fullName, id, content);
          return { checkNode: updated.node ?? '', checkDigest: digest };
        },
        together:
          node === ''
            ? undefined
            : {
                write: { repository, kind: 'update-check', node, content },
                stored: () => ({ checkDigest: digest }),
              },
      });
    },
  };
}
