import { createHash } from 'node:crypto';
import type { LaneStore } from '../../store/lane-store.ts';
import { type Channel, type ChannelContext, openMark } from './channel.ts';
import { checkContent } from './check-content.ts';
import { isOver, promotionUrl } from './telling.ts';
import { reportName } from '../../records/plan.ts';

/**
 * A check run for each lane and commit: made once, then kept up to date. A promotion that was made without an answer is
 * found again by its external id, the promotion's.
 */
export function checkChannel(
  { github, records, url }: ChannelContext,
  store: Pick<LaneStore, 'history'>,
): Channel {
  return {
    name: 'check',
    async tell(telling, told, { write }) {
      const { promotion } = telling;
      const { fullName } = promotion.plan.repository;
      const address = promotionUrl(url, promotion.id);
      const content = checkContent(telling, await store.history({ promotion: promotion.id }), address);
      const digest = createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
      const open = (told[openMark('check')] ?? '') !== '';
      const about = {
        commit: promotion.plan.commit,
        name: reportName(promotion.plan.lane),
        externalId: promotion.id,
      };

      let id = Number(told['checkId'] ?? 0);
      if (id === 0 && open) {
        id = (await github.checks.find(fullName, about)) ?? 0;
        if (id !== 0) await records.write(promotion.id, { checkId: String(id) });
      }
      if (id === 0) {
        const check = { ...content, ...about, detailsUrl: address };
        await write(
          'check',
          () => github.checks.create(fullName, check),
          (made) => ({ checkId: String(made), checkDigest: digest }),
        );
        return;
      }
      if (told['checkDigest'] === digest) return;
      if (open && isOver(telling)) {
        const shown = await github.checks.read(fullName, id);
        if (shown?.conclusion === content.conclusion && shown?.title === content.title) {
          await records.write(promotion.id, { checkDigest: digest, [openMark('check')]: '' });
          return;
        }
      }
      await write(
        'check',
        () => github.checks.update(fullName, id, content),
        () => ({ checkDigest: digest }),
      );
    },
  };
}
