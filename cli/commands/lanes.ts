import * as z from 'zod';
import { act, type AddCommand, define } from '../command.ts';
import { askWorker, laneAnswer } from '../operator-api.ts';
import type { CommonOptions } from '../session.ts';

/** `millrace lanes`: what is live where, what is on its way, what is held and why. */
export const addLanes: AddCommand = (program, shell) => {
  define(program, 'lanes', 'Show the lanes of a running worker.').action(
    act<CommonOptions>(shell, async (session) => {
      const { lanes } = await askWorker(
        session,
        { method: 'GET', path: 'lanes' },
        z.object({ lanes: z.array(laneAnswer) }),
      );
      session.output.result(
        { lanes },
        lanes.length === 0 ? ['No lane yet: none has taken a push.'] : lanes.map(lineOf),
      );
      return 'passed';
    }),
  );
};

function lineOf({ id, live, active, hold }: z.output<typeof laneAnswer>): string {
  const parts = [
    `live ${live?.version ?? '–'}`,
    ...(active ? [`active ${active.version ?? active.id}: ${active.status ?? ''}`] : []),
    ...(hold ? [`on hold: ${hold.why ?? 'no reason'} (${hold.by ?? 'unknown'})`] : []),
  ];
  return `${id}: ${parts.join('; ')}`;
}
