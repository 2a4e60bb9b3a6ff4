import type * as z from 'zod';
import { commandAction, type AddCommand, defineCommand } from '../../kit/command.ts';
import type { promotionActionAnswer } from '../../operate/operator-answers.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { type BulkOptions, refuseFilters, runInBulk, withBulkOptions } from '../../operate/bulk.ts';

type Options = BulkOptions;

type Answer = z.output<typeof promotionActionAnswer>;

/** The commands that need only the id of a promotion. */
const actions = [
  {
    name: 'retry',
    summary: 'Retry a finished promotion with a new promotion.',
    done: (id: string, { promotion }: Answer) => `Retried: ${id}. New promotion: ${promotion}.`,
  },
  {
    name: 'cancel',
    summary: 'Cancel a promotion, and terminate its execution on the platform.',
    done: (id: string, { status }: Answer) =>
      status === 'ended' ? `Cancelled: ${id}.` : `Cancel requested: ${id}.`,
  },
] as const;

/** `millrace retry` and `millrace cancel`: start a finished promotion again, and end an active one. */
export const addRetryAndCancel: AddCommand = (program, shell) => {
  for (const { name, summary, done } of actions) {
    const command = defineCommand(program, name, summary);
    if (name === 'retry') {
      withBulkOptions(command).option(
        '--outcome <outcome>',
        'with --all: only promotions with this outcome (default: failed and error)',
      );
    }
    command
      .argument(
        name === 'retry' ? '[promotion]' : '<promotion>',
        'id of the promotion, as `millrace promotions` shows it',
      )
      .option('--dry-run', 'show what would happen, without changing anything')
      .action(
        commandAction<Options>(shell, async (session, options, promotion = '') => {
          refuseFilters(options);
          const { dryRun = false, all = false } = options;
          if (all === (promotion !== '')) {
            throw new Failure('usage', {
              message: all ? 'A promotion cannot be combined with --all.' : 'No promotion is given.',
              where: { input: all ? '--all' : 'promotion' },
              hint: all
                ? 'Remove the promotion or --all.'
                : 'Give the id of a promotion, which `millrace promotions` lists, or --all.',
            });
          }
          if (all) return runInBulk(session, 'retry', options);
          const { findTargetId } = await import('../../operate/find-target-id.ts');
          const id = await findTargetId(session, 'promotion', promotion);
          if (dryRun) {
            session.output.result({ dryRun, promotion: id }, [`Would ${name}: ${id}.`]);
            return 'passed';
          }
          const { askWorker } = await import('../../operate/operator-api.ts');
          const { promotionActionAnswer: schema } = await import('../../operate/operator-answers.ts');
          const path = `promotions/${encodeURIComponent(id)}/${name}`;
          const answer = await askWorker(session, { method: 'POST', path }, schema);
          session.output.result(answer, [done(id, answer)]);
          return 'passed';
        }),
      );
  }
};
