import { act, type AddCommand, define } from '../../kit/command.ts';
import { count } from '../../terminal/count.ts';
import type { PromotionAnswer } from '../../kit/operator-answers.ts';
import type { CommonOptions } from '../../kit/session.ts';
import { tableLines } from '../../terminal/table.ts';
import { timelineLines } from '../../kit/timeline.ts';

interface Options extends CommonOptions {
  readonly lane?: string;
  readonly limit: number;
}

/** `millrace promotions`: the newest promotions, or one with its timeline. */
export const addPromotions: AddCommand = (program, shell) => {
  define(
    program,
    'promotions',
    'Show the promotions of a running worker, newest first; or one with its timeline.',
  )
    .argument('[promotion]', 'id of a run')
    .option('--lane <id>', 'of this lane only')
    .option('--limit <number>', 'how many', count, 50)
    .action(
      act<Options>(shell, async (session, { lane, limit }, id) => {
        const { askWorker } = await import('../../kit/operator-api.ts');
        const { promotionsAnswer, wholePromotionAnswer } = await import('../../kit/operator-answers.ts');
        if (id !== undefined) {
          const path = `promotions/${encodeURIComponent(id)}`;
          const promotion = await askWorker(session, { method: 'GET', path }, wholePromotionAnswer);
          session.output.result(promotion, [...headOf(promotion), ...timelineLines(promotion.history)]);
          return 'passed';
        }
        const query = new URLSearchParams({ limit: String(limit), ...(lane === undefined ? {} : { lane }) });
        const { promotions } = await askWorker(
          session,
          { method: 'GET', path: `promotions?${query.toString()}` },
          promotionsAnswer,
        );
        const rows = promotions.map((promotion) => [
          promotion.id,
          promotion.laneName ?? promotion.lane,
          promotion.version ?? '–',
          promotion.outcome ?? promotion.state,
          promotion.createdAt ?? '',
          promotion.status ?? '',
        ]);
        session.output.result(
          { promotions },
          promotions.length === 0
            ? ['No promotion yet.']
            : tableLines(['PROMOTION', 'LANE', 'VERSION', 'STATE', 'CREATED', 'STATUS'], rows),
        );
        return 'passed';
      }),
    );
};

/** What a promotion is about, and what it waits for. */
export function headOf(promotion: PromotionAnswer): string[] {
  const { approvals, override } = promotion;
  const pusher = promotion.pusher ? `, pushed by ${promotion.pusher}` : '';
  const may = approvals?.mayApprove.length ? `; ${approvals.mayApprove.join(', ')} may approve` : '';
  return [
    `${promotion.id}: ${promotion.version ?? 'a version to be found'} through ${promotion.lane}: ${promotion.outcome ?? promotion.state}`,
    `  ${promotion.repository ?? ''} ${promotion.ref ?? ''} at ${promotion.commit.slice(0, 12)}${pusher}`,
    ...(promotion.status ? [`  ${promotion.status}`] : []),
    ...(approvals
      ? [`  approvals: ${approvals.given.length} of ${approvals.needed}${listed(approvals.given)}${may}`]
      : []),
    ...(override ? [`  may go in a freeze: ${override.why} (${override.by})`] : []),
  ];
}

const listed = (names: readonly string[]): string => (names.length === 0 ? '' : ` (${names.join(', ')})`);
