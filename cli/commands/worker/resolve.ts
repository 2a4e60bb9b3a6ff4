import { Failure } from '../../../lib/core/failure.ts';
import { commandAction, type AddCommand, defineCommand, oneOf } from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';

interface Options extends CommonOptions {
  readonly execution?: string;
  readonly happened?: 'yes' | 'no';
  readonly reason?: string;
  readonly dryRun?: boolean;
}

/** `millrace resolve`: gives the worker an operator's verdict on an indeterminate promotion. */
export const addResolve: AddCommand = (program, shell) => {
  defineCommand(
    program,
    'resolve',
    'Report what an indeterminate promotion really did, so that it can continue.',
  )
    .argument('<promotion>', 'id of the promotion, as `millrace promotions` shows it')
    .option('--execution <id>', 'id of the execution that the promotion started')
    .option('--happened <answer>', 'whether the unknown step happened: yes or no', oneOf(['yes', 'no']))
    .option('--reason <text>', 'how you know this, recorded in the audit')
    .option('--dry-run', 'show what would happen, without changing anything')
    .action(
      commandAction<Options>(
        shell,
        async (session, { execution, happened, reason, dryRun = false }, id = '') => {
          if (execution === undefined && happened === undefined) {
            throw new Failure('usage', {
              message: 'The verdict is missing.',
              where: { input: '--happened' },
              hint: 'Give --execution with the id on the platform, or --happened with yes or no. `millrace promotions <promotion>` shows what to check.',
            });
          }
          if (execution !== undefined && happened !== undefined) {
            throw new Failure('usage', {
              message: 'Use either --execution or --happened, not both.',
              where: { input: '--happened' },
              hint: 'If there is an execution, give --execution. Otherwise give --happened.',
            });
          }
          const { findTargetId } = await import('../../kit/find-target-id.ts');
          await findTargetId(session, 'promotion', id);
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
            answer.continues === false
              ? `Resolved: ${id}. It continues when its lane is resumed: see \`millrace lanes\`.`
              : `Resolved: ${id}. It continues.`,
          ]);
          return 'passed';
        },
      ),
    );
};
