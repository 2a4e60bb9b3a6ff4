import { Failure } from '../../../lib/core/failure.ts';
import { act, type AddCommand, define } from '../../kit/command.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { headOf } from './promotions.ts';

interface Options extends CommonOptions {
  readonly version?: string;
  readonly commit?: string;
  readonly dryRun?: boolean;
}

/** `millrace approve`: one person's yes to one promotion, for the commit and version that are shown. */
export const addApprove: AddCommand = (program, shell) => {
  define(program, 'approve', 'Approve a waiting promotion, for exactly this commit and version.')
    .argument('<promotion>', 'id of the promotion, as `millrace promotions` shows it')
    .option('--version <name>', 'only if it is this version')
    .option('--commit <sha>', 'only if it is this commit (or begins so)')
    .option('--dry-run', 'show what would be approved, change nothing')
    .action(
      act<Options>(shell, async (session, { dryRun = false, ...wanted }, id = '') => {
        const promotion = await seenPromotion(session, id, wanted);
        const { commit, version } = promotion;
        const { askWorker } = await import('../../kit/operator-api.ts');
        const { anyAnswer } = await import('../../kit/operator-answers.ts');
        const path = `promotions/${encodeURIComponent(id)}/approve`;
        const query = new URLSearchParams({ commit, version: version ?? '' });
        const answer = await askWorker(
          session,
          dryRun
            ? { method: 'GET', path: `${path}?${query.toString()}` }
            : { method: 'POST', path, body: { commit, version } },
          anyAnswer,
        );
        const { unchecked } = answer;
        if (typeof unchecked === 'string')
          session.output.logger.warn(
            `The platform did not say whether ${version ?? 'the version'} is disabled (${unchecked}); the promotion looks again.`,
          );
        if (dryRun) {
          session.output.result({ dryRun, ...answer }, ['Would approve:', ...headOf(promotion)]);
          return 'passed';
        }
        session.output.result(answer, [
          `Approved: ${version ?? ''} at ${commit.slice(0, 12)} for ${promotion.to ?? promotion.lane}.`,
        ]);
        return 'passed';
      }),
    );
};

/** A promotion as it is now, if it is what the person means. Throws Failure 'conflict' where it is not. */
export async function seenPromotion(
  session: Session,
  id: string,
  { version, commit = '' }: { readonly version?: string; readonly commit?: string },
) {
  const { askWorker } = await import('../../kit/operator-api.ts');
  const { promotionAnswer } = await import('../../kit/operator-answers.ts');
  const path = `promotions/${encodeURIComponent(id)}`;
  const promotion = await askWorker(session, { method: 'GET', path }, promotionAnswer);
  if ((version === undefined || version === promotion.version) && promotion.commit.startsWith(commit))
    return promotion;
  throw new Failure('conflict', {
    message: `Run ${id} is about version ${promotion.version ?? '–'} at commit ${promotion.commit}.`,
    where: { input: version === undefined ? '--commit' : '--version' },
    hint: 'Look at it with `millrace promotions` before you say yes to it.',
  });
}
