import { commandAction, type AddCommand, defineCommand } from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';

interface Options extends CommonOptions {
  readonly reason: string;
  readonly dryRun?: boolean;
}

/** `millrace hold`: stops all promotions of a lane until an operator resumes it. */
export const addHold: AddCommand = (program, shell) => {
  defineCommand(program, 'hold', 'Hold a lane: its promotions stop until you resume it.')
    .argument('<lane>', 'name of the lane, or its id as `millrace lanes` shows it')
    .requiredOption('--reason <text>', 'reason, shown to everyone who looks at the lane')
    .option('--dry-run', 'show what would happen, without changing anything')
    .action(
      commandAction<Options>(shell, async (session, { reason, dryRun = false }, lane = '') => {
        const { findTargetId } = await import('../../operate/find-target-id.ts');
        const id = await findTargetId(session, 'lane', lane);
        if (dryRun) {
          session.output.result({ dryRun, held: id, reason }, [`Would hold: ${id} (${reason}).`]);
          return 'passed';
        }
        const { askWorker } = await import('../../operate/operator-api.ts');
        const { anyAnswer } = await import('../../operate/operator-answers.ts');
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
