import { Failure } from '../../../lib/core/errors/failure.ts';
import { commandAction, type AddCommand, defineCommand } from '../../kit/command.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { findWaiting, waitingArgument } from '../../operate/find-waiting.ts';
import { headOf } from './promotions.ts';

interface Options extends CommonOptions {
  readonly version?: string;
  readonly commit?: string;
  readonly plan?: string;
  readonly comment?: string;
  readonly dryRun?: boolean;
}

/** `millrace approve`: approves one promotion, for the commit, the version and the plan that it has now. */
export const addApprove: AddCommand = (program, shell) => {
  defineCommand(program, 'approve', 'Approve a waiting promotion, for exactly this commit, version and plan.')
    .argument(...waitingArgument)
    .option('--version <name>', 'approve only if the promotion has this version')
    .option('--commit <sha>', 'approve only if the promotion has this commit (full or abbreviated)')
    .option('--plan <digest>', 'approve only if the promotion has this plan (12 or 64 hex digits)')
    .option('--comment <text>', 'a text that the history keeps with the approval')
    .option('--dry-run', 'show what would be approved, without changing anything')
    .action(
      commandAction<Options>(
        shell,
        async (session, { dryRun = false, plan: expectedPlan, comment, ...expected }, named = '') => {
          const id = await findWaiting(session, named);
          const promotion = await fetchPromotion(session, id, expected);
          const { commit, version } = promotion;
          const plan = expectedPlan ?? promotion.plan?.digest;
          const { askWorker } = await import('../../operate/operator-api.ts');
          const { anyAnswer } = await import('../../operate/operator-answers.ts');
          const path = `promotions/${encodeURIComponent(id)}/approve`;
          const query = new URLSearchParams({
            commit,
            version: version ?? '',
            ...(plan === undefined ? {} : { plan }),
          });
          const answer = await askWorker(
            session,
            dryRun
              ? { method: 'GET', path: `${path}?${query.toString()}` }
              : { method: 'POST', path, body: { commit, version, plan, comment } },
            anyAnswer,
          );
          const { unchecked } = answer;
          if (typeof unchecked === 'string')
            session.output.logger.warn(
              `The platform did not say whether ${version ?? 'the version'} is disabled (${unchecked}). The promotion checks this again before it continues.`,
            );
          if (dryRun) {
            session.output.result({ dryRun, ...answer }, ['Would approve:', ...headOf(promotion)]);
            return 'passed';
          }
          session.output.result(answer, [
            `Approved: ${version ?? ''} at ${commit.slice(0, 12)} for ${promotion.to ?? promotion.lane}${plan === undefined ? ', without a plan' : `, plan ${plan.slice(0, 12)}`}.`,
          ]);
          return 'passed';
        },
      ),
    );
};

/**
 * Fetches the current state of a promotion from the worker. Throws Failure 'conflict' if its version or commit is
 * not the expected one.
 */
export async function fetchPromotion(
  session: Session,
  id: string,
  { version, commit = '' }: { readonly version?: string; readonly commit?: string },
) {
  const { askWorker } = await import('../../operate/operator-api.ts');
  const { promotionAnswer } = await import('../../operate/operator-answers.ts');
  const path = `promotions/${encodeURIComponent(id)}`;
  const promotion = await askWorker(session, { method: 'GET', path }, promotionAnswer);
  if ((version === undefined || version === promotion.version) && promotion.commit.startsWith(commit))
    return promotion;
  const wrong = version !== undefined && version !== promotion.version ? '--version' : '--commit';
  throw new Failure('conflict', {
    message: `The promotion ${id} was not changed: it has version ${promotion.version ?? '–'} and commit ${promotion.commit}, which do not match the ${wrong} that you gave.`,
    where: { input: wrong },
    hint: `Look at the promotion with \`millrace promotions ${id}\`. If it is the right one, repeat the command with the version and the commit of this message.`,
  });
}
