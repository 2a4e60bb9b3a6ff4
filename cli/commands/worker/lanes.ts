import { act, type AddCommand, define } from '../../kit/command.ts';
import { doerOf } from '../../kit/doer.ts';
import type { LaneAnswer } from '../../kit/operator-answers.ts';
import type { CommonOptions } from '../../kit/session.ts';
import { tableLines } from '../../terminal/table.ts';
import { timelineLines } from '../../kit/timeline.ts';

/** `millrace lanes`: what is live where, what is on its way, what is held and why; or one lane with its history. */
export const addLanes: AddCommand = (program, shell) => {
  define(program, 'lanes', 'Show the lanes of a running worker; or one with its history.')
    .argument('[lane]', 'a lane, by its name or id')
    .action(
      act<CommonOptions>(shell, async (session, _, given) => {
        const { askWorker } = await import('../../kit/operator-api.ts');
        const { lanesAnswer, wholeLaneAnswer } = await import('../../kit/operator-answers.ts');
        if (given !== undefined) {
          const { lookUpTarget } = await import('../../kit/look-up-target.ts');
          const id = await lookUpTarget(session, 'lane', given);
          const lane = await askWorker(
            session,
            { method: 'GET', path: `lanes/${encodeURIComponent(id)}` },
            wholeLaneAnswer,
          );
          session.output.result(lane, [
            `${lane.id}: ${lane.from ?? ''} to ${lane.to ?? ''}, ${lane.repository ?? ''}`,
            `  live:     ${liveOf(lane)}`,
            `  verified: ${lane.verified?.version ?? '–'}`,
            `  wanted:   ${wantedOf(lane)}`,
            `  ${stateOf(lane)}`,
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
          liveOf(lane),
          lane.verified?.version ?? '–',
          wantedOf(lane),
          String(lane.waiting.length),
          stateOf(lane),
        ]);
        session.output.result(
          { lanes },
          lanes.length === 0
            ? ['No lane yet: none has taken a push.']
            : [
                ...tableLines(['LANE', 'REPOSITORY', 'LIVE', 'VERIFIED', 'WANTED', 'QUEUED', 'STATE'], rows),
                ...lanes.flatMap((lane) => hintsOf(lane).map((hint) => `${lane.name}: ${hint}`)),
              ],
        );
        return 'passed';
      }),
    );
};

/** What the platform said last, and how long ago; never what is only expected. */
function liveOf({ live }: LaneAnswer): string {
  const { state, version, ageSeconds, changedSince, problem } = live ?? {};
  const asked = problem ? `the platform cannot be asked: ${problem.why}` : '';
  if (state === undefined || state === null || state === 'not-known')
    return asked === '' ? 'not known' : `not known (${asked})`;
  const age = ageSeconds === undefined || ageSeconds === null ? '' : `${ageInWords(ageSeconds)} ago`;
  const changed = changedSince === true ? 'it may have changed since' : '';
  const words = [age, changed, asked].filter((one) => one !== '').join('; ');
  return `${version ?? 'none'} (${words})`;
}

const wantedOf = ({ wanted }: LaneAnswer): string => wanted?.version ?? wanted?.commit?.slice(0, 12) ?? '–';

function ageInWords(seconds: number): string {
  if (seconds < 120) return `${String(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${String(minutes)} min` : `${String(Math.round(minutes / 60))} h`;
}

function stateOf({ active, holds, outOfStep, disagreements }: LaneAnswer): string {
  const parts = [
    ...(outOfStep === true ? [`out of step: ${(disagreements ?? []).join('; ')}`] : []),
    ...holds.map(({ why, by }) => `on hold: ${why} (${doerOf(by)})`),
    ...(active ? [`${active.version ?? active.id}: ${active.status ?? active.state}`] : []),
  ];
  return parts.length === 0 ? 'idle' : parts.join('; ');
}

/** What to do about what holds a lane, each once. */
function hintsOf({ holds }: LaneAnswer): readonly string[] {
  return [...new Set(holds.flatMap(({ hint }) => hint ?? []))];
}
