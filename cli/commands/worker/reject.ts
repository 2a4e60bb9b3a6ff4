import { commandAction, type AddCommand, defineCommand } from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';
import { findWaiting, waitingArgument } from '../../operate/find-waiting.ts';
import { fetchPromotion } from './approve.ts';
import { headOf } from './promotions.ts';

interface Options extends CommonOptions {
  readonly reason: string;
  readonly version?: string;
  readonly commit?: string;
  readonly dryRun?: boolean;
}

/** `millrace reject`: refuses one waiting promotion, for the commit and the version that it has now, which ends it. */
export const addReject: AddCommand = (program, shell) => {
  defineCommand(program, 'reject', 'Reject a waiting promotion with a reason, which ends it.')
    .argument(...waitingArgument)
    .requiredOption('--reason <text>', 'reason, shown in the history and on GitHub')
    .option('--version <name>', 'reject only if the promotion has this version')
    .option('--commit <sha>', 'reject only if the promotion has this commit (full or abbreviated)')
    .option('--dry-run', 'show what would be rejected, without changing anything')
    .action(
      commandAction<Options>(shell, async (session, { reason, dryRun = false, ...expected }, named = '') => {
        const id = await findWaiting(session, named);
        const promotion = await fetchPromotion(session, id, expected);
        const { commit, version } = promotion;
        const { askWorker } = await import('../../operate/operator-api.ts');
        const { anyAnswer } = await import('../../operate/operator-answers.ts');
        const path = `promotions/${encodeURIComponent(id)}/reject`;
        const query = new URLSearchParams({ commit, version: version ?? '' });
        const answer = await askWorker(
          session,
          dryRun
            ? { method: 'GET', path: `${path}?${query.toString()}` }
            : { method: 'POST', path, body: { commit, version, reason } },
          anyAnswer,
        );
        session.output.result(
          dryRun ? { dryRun, ...answer } : answer,
          dryRun
            ? ['Would reject:', ...headOf(promotion)]
            : [`Rejected: ${version ?? ''} at ${commit.slice(0, 12)} for ${promotion.to ?? promotion.lane}.`],
        );
        return 'passed';
      }),
    );
};
