import { commandAction, type AddCommand, defineCommand } from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';
import { withProgramName } from '../../terminal/program-name.ts';

interface Options extends CommonOptions {
  readonly dryRun?: boolean;
}

/**
 * `millrace refresh`: lets the worker ask the platform now which version is live in the target environment of a
 * lane.
 */
export const addRefresh: AddCommand = (program, shell) => {
  defineCommand(
    program,
    'refresh',
    'Ask the platform now which version is live in the target environment of a lane.',
  )
    .argument('<lane>', 'name of the lane, or its id as `millrace lanes` shows it')
    .option('--dry-run', 'show what would happen, without changing anything')
    .action(
      commandAction<Options>(shell, async (session, { dryRun = false }, lane = '') => {
        const { findTargetId } = await import('../../operate/find-target-id.ts');
        const id = await findTargetId(session, 'lane', lane);
        if (dryRun) {
          session.output.result({ dryRun, lane: id }, [`Would refresh: ${id}.`]);
          return 'passed';
        }
        const { askWorker } = await import('../../operate/operator-api.ts');
        const { anyAnswer } = await import('../../operate/operator-answers.ts');
        const path = `lanes/${encodeURIComponent(id)}/refresh`;
        const answer = await askWorker(session, { method: 'POST', path }, anyAnswer);
        session.output.result(answer, [
          withProgramName(`Refresh requested: ${id}. \`millrace lanes\` shows the answer.`, session.io),
        ]);
        return 'passed';
      }),
    );
};
