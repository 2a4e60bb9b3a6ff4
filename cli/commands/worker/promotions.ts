import { commandAction, type AddCommand, defineCommand } from '../../kit/command.ts';
import { parseCount } from '../../terminal/parse-count.ts';
import type { PromotionAnswer } from '../../kit/operator-answers.ts';
import type { CommonOptions } from '../../kit/session.ts';
import { tableLines } from '../../terminal/table.ts';
import { timelineLines } from '../../kit/timeline.ts';

interface Options extends CommonOptions {
  readonly lane?: string;
  readonly limit: number;
}

/** `millrace promotions`: the newest promotions, or one promotion with its history. */
export const addPromotions: AddCommand = (program, shell) => {
  defineCommand(program, 'promotions', 'Show the newest promotions of a worker, or one with its history.')
    .argument('[promotion]', 'id of a promotion')
    .option('--lane <id>', 'only promotions of the lane with this id')
    .option('--limit <number>', 'maximum number of promotions', parseCount, 50)
    .action(
      commandAction<Options>(shell, async (session, { lane, limit }, id) => {
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
            ? ['No promotions yet.']
            : tableLines(['PROMOTION', 'LANE', 'VERSION', 'STATE', 'CREATED', 'STATUS'], rows),
        );
        return 'passed';
      }),
    );
};

/** Version, lane, commit, status and approvals of a promotion, as lines. */
export function headOf(promotion: PromotionAnswer): string[] {
  const { approvals, override } = promotion;
  const pusher = promotion.pusher ? `, pushed by ${promotion.pusher}` : '';
  const may = approvals?.mayApprove.length ? `; ${approvals.mayApprove.join(', ')} may approve` : '';
  return [
    `${promotion.id}: ${promotion.version ?? 'version not yet resolved'} through ${promotion.lane}: ${promotion.outcome ?? promotion.state}`,
    `  ${promotion.repository ?? ''} ${promotion.ref ?? ''} at ${promotion.commit.slice(0, 12)}${pusher}`,
    ...(promotion.status ? [`  ${promotion.status}`] : []),
    ...(approvals
      ? [`  approvals: ${approvals.given.length} of ${approvals.needed}${listed(approvals.given)}${may}`]
      : []),
    ...(override ? [`  freeze override: ${override.reason} (${override.by})`] : []),
  ];
}

const listed = (names: readonly string[]): string => (names.length === 0 ? '' : ` (${names.join(', ')})`);
