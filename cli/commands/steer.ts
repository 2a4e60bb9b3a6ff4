import * as z from 'zod';
import { act, type AddCommand, define } from '../command.ts';
import { askWorker } from '../operator-api.ts';
import type { CommonOptions } from '../session.ts';

/** The acts that need nothing but the id of a lane or a run. */
const acts = [
  { name: 'release', what: 'lane', summary: 'Let a held lane go on.', done: 'Released' },
  { name: 'retry', what: 'run', summary: 'Try a finished run again.', done: 'Tried again' },
  {
    name: 'cancel',
    what: 'run',
    summary: 'Cancel a run; its execution on the platform is terminated.',
    done: 'Asked to cancel',
  },
] as const;

/** `millrace release | retry | cancel`: steers a running worker. */
export const addSteering: AddCommand = (program, shell) => {
  for (const { name, what, summary, done } of acts) {
    define(program, name, summary)
      .argument(`<${what}>`, `id of the ${what}, as \`millrace ${what}s\` shows it`)
      .action(
        act<CommonOptions>(shell, async (session, _options, id = '') => {
          const path = `${what}s/${encodeURIComponent(id)}/${name}`;
          session.output.result(await askWorker(session, { method: 'POST', path }, z.unknown()), [
            `${done}: ${id}.`,
          ]);
          return 'passed';
        }),
      );
  }
};
