import { Failure } from '../../../lib/core/failure.ts';
import { act, type AddCommand, define, oneOf } from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';

interface Options extends CommonOptions {
  readonly execution?: string;
  readonly happened?: 'yes' | 'no';
  readonly reason?: string;
  readonly dryRun?: boolean;
}

/** `millrace resolve`: says what a person has found out about a promotion of which the worker could not know how it stands. */
export const addResolve: AddCommand = (program, shell) => {
  define(program, 'resolve', 'Say how an indeterminate promotion stands; it goes on from there.')
    .argument('<promotion>', 'id of the promotion, as `millrace promotions` shows it')
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
            hint: 'Give --execution with the id on the platform, or --happened yes or no; `millrace promotions <promotion>` says what to look at.',
          });
        }
        if (execution !== undefined && happened !== undefined) {
          throw new Failure('usage', {
            message: 'An execution id and --happened contradict each other: only one of them can count.',
            where: { input: '--happened' },
            hint: 'Give --execution where there is an execution, else --happened.',
          });
        }
        const { lookUpTarget } = await import('../../kit/look-up-target.ts');
        await lookUpTarget(session, 'promotion', id);
        const { askWorker } = await import('../../kit/operator-api.ts');
        const { anyAnswer, resolvedAnswer } = await import('../../kit/operator-answers.ts');
        const path = `promotions/${encodeURIComponent(id)}/resolve`;
        const found = {
          ...(execution === undefined ? {} : { executionId: execution }),
          ...(happened === undefined ? {} : { happened: happened === 'yes' }),
        };
        if (dryRun) {
          const query = new URLSearchParams();
          for (const [name, value] of Object.entries(found)) query.set(name, String(value));
          await askWorker(session, { method: 'GET', path: `${path}?${query.toString()}` }, anyAnswer);
          session.output.result({ dryRun, promotion: id, execution, happened }, [`Would resolve: ${id}.`]);
          return 'passed';
        }
        const body = { ...found, reason };
        const answer = await askWorker(session, { method: 'POST', path, body }, resolvedAnswer);
        session.output.result(answer, [
          answer.goesOn === false
            ? `Resolved: ${id}. It goes on once its lane is resumed: see \`millrace lanes\`.`
            : `Resolved: ${id}. It goes on.`,
        ]);
        return 'passed';
      }),
    );
};
