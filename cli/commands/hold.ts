import * as z from 'zod';
import { act, type AddCommand, define } from '../command.ts';
import { askWorker } from '../operator-api.ts';
import type { CommonOptions } from '../session.ts';

/** `millrace hold`: nothing happens in the lane until somebody releases it. */
export const addHold: AddCommand = (program, shell) => {
  define(program, 'hold', 'Hold a lane: nothing happens in it until it is released.')
    .argument('<lane>', 'id of the lane, as `millrace lanes` shows it')
    .requiredOption('--reason <text>', 'why; everybody who looks at the lane reads it')
    .action(
      act<CommonOptions & { readonly reason: string }>(shell, async (session, { reason }, id = '') => {
        const answer = await askWorker(
          session,
          { method: 'POST', path: `lanes/${encodeURIComponent(id)}/hold`, body: { reason } },
          z.unknown(),
        );
        session.output.result(answer, [`Held: ${id} (${reason}).`]);
        return 'passed';
      }),
    );
};
