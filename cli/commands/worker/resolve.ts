import { Failure } from '../../../lib/core/errors/failure.ts';
import { commandAction, type AddCommand, defineCommand, oneOf } from '../../kit/command.ts';
import { type BulkOptions, refuseFilters, runInBulk, withBulkOptions } from '../../operate/bulk.ts';
import { withProgramName } from '../../terminal/program-name.ts';

interface Options extends BulkOptions {
  readonly execution?: string;
  readonly happened?: 'yes' | 'no';
}

/** `millrace resolve`: gives the worker an operator's verdict on an indeterminate promotion. */
export const addResolve: AddCommand = (program, shell) => {
  const command = defineCommand(
    program,
    'resolve',
    'Say what really happened in a promotion whose outcome is unknown (indeterminate), so that it can continue.',
  );
  withBulkOptions(command)
    .argument('[promotion]', 'id of the promotion, as `millrace promotions` shows it')
    .option('--execution <id>', 'id of the execution that the promotion started')
    .option('--happened <answer>', 'whether the unknown step happened: yes or no', oneOf(['yes', 'no']))
    .option('--reason <text>', 'how you know this, recorded in the audit')
    .option('--dry-run', 'show what would happen, without changing anything')
    .action(
      commandAction<Options>(shell, async (session, options, id = '') => {
        refuseFilters(options);
        const { execution, happened, reason, dryRun = false, all = false } = options;
        if (all === (id !== '')) {
          throw new Failure('usage', {
            message: all ? 'A promotion cannot be combined with --all.' : 'No promotion is given.',
            where: { input: all ? '--all' : 'promotion' },
            hint: all
              ? 'Remove the promotion or --all.'
              : 'Give the id of a promotion, which `millrace promotions` lists, or --all.',
          });
        }
        if (execution === undefined && happened === undefined) {
          throw new Failure('usage', {
            message: 'What really happened is missing: neither --execution nor --happened is given.',
            where: { input: '--happened' },
            hint: 'If the promotion started an execution, give its id with --execution. Otherwise give --happened yes or --happened no. `millrace promotions <promotion>` shows what to check.',
          });
        }
        if (execution !== undefined && happened !== undefined) {
          throw new Failure('usage', {
            message: 'Use either --execution or --happened, not both.',
            where: { input: '--happened' },
            hint: 'If there is an execution, give --execution. Otherwise give --happened.',
          });
        }
        if (all) {
          if (happened === undefined) {
            throw new Failure('usage', {
              message:
                '--all cannot be combined with --execution, because an execution belongs to one promotion.',
              where: { input: '--execution' },
              hint: 'Give --happened with --all. To give an execution, resolve one promotion: `millrace resolve <promotion> --execution <id>`.',
            });
          }
          return runInBulk(session, 'resolve', options, { happened: happened === 'yes' });
        }
        const { findTargetId } = await import('../../operate/find-target-id.ts');
        await findTargetId(session, 'promotion', id);
        const { askWorker } = await import('../../operate/operator-api.ts');
        const { anyAnswer, resolvedAnswer } = await import('../../operate/operator-answers.ts');
        const path = `promotions/${encodeURIComponent(id)}/resolve`;
        const verdict = {
          ...(execution === undefined ? {} : { executionId: execution }),
          ...(happened === undefined ? {} : { happened: happened === 'yes' }),
        };
        if (dryRun) {
          const query = new URLSearchParams();
          for (const [name, value] of Object.entries(verdict)) query.set(name, String(value));
          await askWorker(session, { method: 'GET', path: `${path}?${query.toString()}` }, anyAnswer);
          session.output.result({ dryRun, promotion: id, execution, happened }, [`Would resolve: ${id}.`]);
          return 'passed';
        }
        const body = { ...verdict, reason };
        const answer = await askWorker(session, { method: 'POST', path, body }, resolvedAnswer);
        session.output.result(answer, [
          answer.continues === false
            ? withProgramName(
                `Resolved: ${id}. It continues when its lane is resumed: see \`millrace lanes\`.`,
                session.io,
              )
            : `Resolved: ${id}. It continues.`,
        ]);
        return 'passed';
      }),
    );
};
