import type * as z from 'zod';
import { act, type AddCommand, define } from '../../kit/command.ts';
import type { steeredAnswer } from '../../kit/operator-answers.ts';
import type { CommonOptions } from '../../kit/session.ts';

interface Options extends CommonOptions {
  readonly dryRun?: boolean;
}

type Answer = z.output<typeof steeredAnswer>;

/** The acts that need nothing but the id of a promotion. */
const acts = [
  {
    name: 'retry',
    summary: 'Try a finished promotion again.',
    // The old one is over: the new one is what one looks at next.
    done: (id: string, { promotion }: Answer) => `Tried again: ${id}. The new promotion: ${promotion}.`,
  },
  {
    name: 'cancel',
    summary: 'Cancel a promotion; its execution on the platform is terminated.',
    done: (id: string, { said }: Answer) =>
      said === 'ended' ? `Cancelled: ${id}.` : `Asked to cancel: ${id}.`,
  },
] as const;

/** `millrace retry | cancel`: steers a running worker. */
export const addSteering: AddCommand = (program, shell) => {
  for (const { name, summary, done } of acts) {
    define(program, name, summary)
      .argument('<promotion>', 'the promotion, as `millrace promotions` shows it')
      .option('--dry-run', 'say what would happen, change nothing')
      .action(
        act<Options>(shell, async (session, { dryRun = false }, given = '') => {
          const { lookUpTarget } = await import('../../kit/look-up-target.ts');
          const id = await lookUpTarget(session, 'promotion', given);
          if (dryRun) {
            session.output.result({ dryRun, promotion: id }, [`Would ${name}: ${id}.`]);
            return 'passed';
          }
          const { askWorker } = await import('../../kit/operator-api.ts');
          const { steeredAnswer: schema } = await import('../../kit/operator-answers.ts');
          const path = `promotions/${encodeURIComponent(id)}/${name}`;
          const answer = await askWorker(session, { method: 'POST', path }, schema);
          session.output.result(answer, [done(id, answer)]);
          return 'passed';
        }),
      );
  }
};
