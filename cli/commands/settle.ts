import { Failure } from '../../model/failure.ts';
import { act, type AddCommand, define, oneOf } from '../command.ts';
import type { CommonOptions } from '../session.ts';

interface Options extends CommonOptions {
  readonly execution?: string;
  readonly happened?: 'yes' | 'no';
  readonly reason?: string;
  readonly dryRun?: boolean;
}

/** `millrace settle`: says what a person has found out about a run of which the worker could not know how it stands. */
export const addSettle: AddCommand = (program, shell) => {
  define(program, 'settle', 'Say how an indeterminate run stands; it goes on from there.')
    .argument('<run>', 'id of the run, as `millrace runs` shows it')
    .option('--execution <id>', 'the execution that it started')
    .option('--happened <answer>', 'yes or no: the promotion, the start, the success', oneOf(['yes', 'no']))
    .option('--reason <text>', 'how you know; the audit keeps it')
    .option('--dry-run', 'say what would happen, change nothing')
    .action(
      act<Options>(shell, async (session, { execution, happened, reason, dryRun = false }, id = '') => {
        if (execution === undefined && happened === undefined) {
          throw new Failure('usage', {
            message: 'Say what you have found out.',
            where: { input: '--happened' },
            mend: 'Give --execution with the id on the platform, or --happened yes or no; `millrace runs <run>` says what to look at.',
          });
        }
        const { lookUpTarget } = await import('../look-up-target.ts');
        await lookUpTarget(session, 'run', id);
        if (dryRun) {
          session.output.result({ dryRun, run: id, execution, happened }, [`Would settle: ${id}.`]);
          return 'passed';
        }
        const { askWorker } = await import('../operator-api.ts');
        const { anyAnswer } = await import('../operator-answers.ts');
        const body = {
          reason,
          executionId: execution,
          ...(happened === undefined ? {} : { happened: happened === 'yes' }),
        };
        const path = `runs/${encodeURIComponent(id)}/settle`;
        const answer = await askWorker(session, { method: 'POST', path, body }, anyAnswer);
        session.output.result(answer, [`Settled: ${id}.`]);
        return 'passed';
      }),
    );
};
