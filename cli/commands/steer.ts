import { act, type AddCommand, define } from '../command.ts';
import type { CommonOptions } from '../session.ts';

interface Options extends CommonOptions {
  readonly dryRun?: boolean;
}

/** The acts that need nothing but the id of a run. */
const acts = [
  { name: 'retry', what: 'run', summary: 'Try a finished run again.', done: 'Tried again' },
  {
    name: 'cancel',
    what: 'run',
    summary: 'Cancel a run; its execution on the platform is terminated.',
    done: 'Asked to cancel',
  },
] as const;

/** `millrace retry | cancel`: steers a running worker. */
export const addSteering: AddCommand = (program, shell) => {
  for (const { name, what, summary, done } of acts) {
    define(program, name, summary)
      .argument(`<${what}>`, `the ${what}, as \`millrace ${what}s\` shows it`)
      .option('--dry-run', 'say what would happen, change nothing')
      .action(
        act<Options>(shell, async (session, { dryRun = false }, given = '') => {
          const { lookUpTarget } = await import('../look-up-target.ts');
          const id = await lookUpTarget(session, what, given);
          if (dryRun) {
            session.output.result({ dryRun, [what]: id }, [`Would ${name}: ${id}.`]);
            return 'passed';
          }
          const { askWorker } = await import('../operator-api.ts');
          const { anyAnswer } = await import('../operator-answers.ts');
          const path = `${what}s/${encodeURIComponent(id)}/${name}`;
          const answer = await askWorker(session, { method: 'POST', path }, anyAnswer);
          session.output.result(answer, [`${done}: ${id}.`]);
          return 'passed';
        }),
      );
  }
};
