import { act, type AddCommand, define } from '../command.ts';
import type { LaneAnswer } from '../operator-api.ts';
import type { CommonOptions } from '../session.ts';

/** `millrace lanes`: what is live where, what is on its way, what is held and why. */
export const addLanes: AddCommand = (program, shell) => {
  define(program, 'lanes', 'Show the lanes of a running worker.').action(
    act<CommonOptions>(shell, async (session) => {
      const { askWorker, lanesAnswer } = await import('../operator-api.ts');
      const { lanes } = await askWorker(session, { method: 'GET', path: 'lanes' }, lanesAnswer);
      session.output.result(
        { lanes },
        lanes.length === 0 ? ['No lane yet: none has taken a push.'] : lanes.map(lineOf),
      );
      return 'passed';
    }),
  );
};

function lineOf({ id, live, active, hold }: LaneAnswer): string {
  const parts = [
    `last verified: ${live?.version ?? '–'}`,
    ...(active ? [`active ${active.version ?? active.id}: ${active.status ?? ''}`] : []),
    ...(hold ? [`on hold: ${hold.why ?? 'no reason'} (${hold.by ?? 'unknown'})`] : []),
  ];
  return `${id}: ${parts.join('; ')}`;
}
