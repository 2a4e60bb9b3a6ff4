import { act, type AddCommand, define } from '../command.ts';
import type { LaneAnswer } from '../operator-answers.ts';
import type { CommonOptions } from '../session.ts';
import { tableLines } from '../table.ts';
import { timelineLines } from '../timeline.ts';

/** `millrace lanes`: what is live where, what is on its way, what is held and why; or one lane with its history. */
export const addLanes: AddCommand = (program, shell) => {
  define(program, 'lanes', 'Show the lanes of a running worker; or one with its history.')
    .argument('[lane]', 'a lane, by its name or id')
    .action(
      act<CommonOptions>(shell, async (session, _, given) => {
        const { askWorker } = await import('../operator-api.ts');
        const { lanesAnswer, wholeLaneAnswer } = await import('../operator-answers.ts');
        if (given !== undefined) {
          const { lookUpTarget } = await import('../look-up-target.ts');
          const id = await lookUpTarget(session, 'lane', given);
          const lane = await askWorker(
            session,
            { method: 'GET', path: `lanes/${encodeURIComponent(id)}` },
            wholeLaneAnswer,
          );
          session.output.result(lane, [
            `${lane.id}: ${lane.from ?? ''} to ${lane.to ?? ''}, ${lane.repository ?? ''}`,
            `  verified ${lane.live?.version ?? '–'}; ${stateOf(lane)}`,
            ...hintsOf(lane).map((hint) => `  ${hint}`),
            ...timelineLines(lane.history),
          ]);
          return 'passed';
        }
        const { lanes } = await askWorker(session, { method: 'GET', path: 'lanes' }, lanesAnswer);
        const isAlone = (name: string): boolean => lanes.filter((lane) => lane.name === name).length === 1;
        const rows = lanes.map((lane) => [
          // A name is enough to steer it by, where it is the only one.
          isAlone(lane.name) ? lane.name : lane.id,
          lane.repository ?? '',
          lane.live?.version ?? '–',
          String(lane.waiting.length),
          stateOf(lane),
        ]);
        session.output.result(
          { lanes },
          lanes.length === 0
            ? ['No lane yet: none has taken a push.']
            : [
                ...tableLines(['LANE', 'REPOSITORY', 'VERIFIED', 'QUEUED', 'STATE'], rows),
                ...lanes.flatMap((lane) => hintsOf(lane).map((hint) => `${lane.name}: ${hint}`)),
              ],
        );
        return 'passed';
      }),
    );
};

function stateOf({ active, holds }: LaneAnswer): string {
  const parts = [
    ...holds.map(({ why, by }) => `on hold: ${why} (${by})`),
    ...(active ? [`${active.version ?? active.id}: ${active.status ?? active.state}`] : []),
  ];
  return parts.length === 0 ? 'idle' : parts.join('; ');
}

/** What to do about what holds a lane, each once. */
function hintsOf({ holds }: LaneAnswer): readonly string[] {
  return [...new Set(holds.flatMap(({ hint }) => hint ?? []))];
}
