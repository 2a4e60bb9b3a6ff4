import { act, type AddCommand, define } from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';

interface Options extends CommonOptions {
  readonly reason: string;
  readonly dryRun?: boolean;
}

/** `millrace hold`: nothing happens in the lane until somebody releases it. */
export const addHold: AddCommand = (program, shell) => {
  define(program, 'hold', 'Hold a lane: nothing happens in it until it is released.')
    .argument('<lane>', 'the lane, by its name or by the id that `millrace lanes` shows')
    .requiredOption('--reason <text>', 'why; everybody who looks at the lane reads it')
    .option('--dry-run', 'say what would happen, change nothing')
    .action(
      act<Options>(shell, async (session, { reason, dryRun = false }, lane = '') => {
        const { lookUpTarget } = await import('../../kit/look-up-target.ts');
        const id = await lookUpTarget(session, 'lane', lane);
        if (dryRun) {
          session.output.result({ dryRun, held: id, why: reason }, [`Would hold: ${id} (${reason}).`]);
          return 'passed';
        }
        const { askWorker } = await import('../../kit/operator-api.ts');
        const { anyAnswer } = await import('../../kit/operator-answers.ts');
        const answer = await askWorker(
          session,
          { method: 'POST', path: `lanes/${encodeURIComponent(id)}/hold`, body: { reason } },
          anyAnswer,
        );
        session.output.result(answer, [`Held: ${id} (${reason}).`]);
        return 'passed';
      }),
    );
};
