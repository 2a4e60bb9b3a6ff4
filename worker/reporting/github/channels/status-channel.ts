import { statusTexts } from '../../../../lib/github/endpoints/statuses.ts';
import { type Channel, type ChannelContext, openMark } from './channel.ts';
import { isOver, promotionUrl } from './status-update.ts';
import { reportName } from '../../../records/promotion-task.ts';

/**
 * GitHub keeps 1,000 statuses of one context on a commit and then refuses for good: the last ones are for ends.
 */
const maxProgressUpdates = 900;

/**
 * Shows promotions as commit statuses, one for each lane. Used with a token, and with an App that may not create
 * check runs.
 */
export function statusChannel({ github, records, logger, url }: ChannelContext): Channel {
  return {
    name: 'status',
    async send(update, sent, { write }) {
      const { promotion, state } = update;
      const { fullName } = promotion.task.repository;
      const sha = promotion.task.commit;
      const { context, description } = statusTexts({
        context: reportName(promotion.task.lane),
        description: update.text,
      });
      const desired = `${state} ${description}`;
      if (sent['statusLast'] === desired) return;
      if ((sent[openMark('status')] ?? '') !== '') {
        const there = await github.readStatus(fullName, sha, context);
        if (there?.state === state && there.description === description) {
          await records.write(promotion.id, { statusLast: desired, [openMark('status')]: '' });
          return;
        }
      }
      const counter = `${sha}:${context}`;
      if (!isOver(update) && (await records.counted(counter)) >= maxProgressUpdates) {
        logger.warn(
          'A commit has nearly as many statuses as GitHub allows. From now on only the ends of its promotions are reported.',
          {
            promotion_id: promotion.id,
          },
        );
        return;
      }
      const targetUrl = promotionUrl(url(), promotion.id);
      await write({
        channel: 'status',
        counted: counter,
        async alone() {
          await github.setStatus(fullName, { sha, state, context, description, targetUrl });
          return { statusLast: desired };
        },
        together: undefined,
      });
    },
  };
}
