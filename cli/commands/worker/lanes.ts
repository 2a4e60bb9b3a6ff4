import { configWarnings } from '../../../worker/records/config-warnings.ts';
import { commandAction, type AddCommand, defineCommand } from '../../kit/command.ts';
import { describeActor } from '../../kit/describe-actor.ts';
import type { LaneAnswer } from '../../kit/operator-answers.ts';
import { pauseLines } from '../../kit/pause-lines.ts';
import type { CommonOptions } from '../../kit/session.ts';
import { tableLines } from '../../terminal/table.ts';
import { timelineLines } from '../../kit/timeline.ts';

/** `millrace lanes`: live version, active promotion and holds of each lane; or one lane with its history. */
export const addLanes: AddCommand = (program, shell) => {
  defineCommand(program, 'lanes', 'Show the lanes of a running worker, or one lane with its history.')
    .argument('[lane]', 'name or id of a lane')
    .action(
      commandAction<CommonOptions>(shell, async (session, _, given) => {
        const { askWorker } = await import('../../kit/operator-api.ts');
        const { lanesAnswer, wholeLaneAnswer } = await import('../../kit/operator-answers.ts');
        if (given !== undefined) {
          const { findTargetId } = await import('../../kit/find-target-id.ts');
          const id = await findTargetId(session, 'lane', given);
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
        const answer = await askWorker(session, { method: 'GET', path: 'lanes' }, lanesAnswer);
        const { lanes, pauses, config } = answer;
        const above = [...(config ? configWarnings(config) : []), ...pauseLines(pauses)];
        const isUnique = (name: string): boolean => lanes.filter((lane) => lane.name === name).length === 1;
        const rows = lanes.map((lane) => [
          // Other commands accept the name only if it is unique.
          isUnique(lane.name) ? lane.name : lane.id,
          lane.repository ?? '',
          liveOf(lane),
          lane.verified?.version ?? '–',
          wantedOf(lane),
          String(lane.waiting.length),
          stateOf(lane),
        ]);
        session.output.result(
          answer,
          lanes.length === 0
            ? [...above, 'No lanes yet: the worker has not received a push for a lane.']
            : [
                ...above,
                ...tableLines(['LANE', 'REPOSITORY', 'LIVE', 'VERIFIED', 'WANTED', 'QUEUED', 'STATE'], rows),
                ...lanes.flatMap((lane) => hintsOf(lane).map((hint) => `${lane.name}: ${hint}`)),
              ],
        );
        return 'passed';
      }),
    );
};

/** The last answer of the platform and its age; never what is only expected. */
function liveOf({ live }: LaneAnswer): string {
  const { state, version, ageSeconds, changedSince, problem } = live ?? {};
  const failed = problem ? `the platform does not answer the worker: ${problem.reason}` : '';
  if (state === undefined || state === null || state === 'not-known')
    return failed === '' ? 'not known' : `not known (${failed})`;
  const age = ageSeconds === undefined || ageSeconds === null ? '' : `${formatAge(ageSeconds)} ago`;
  const changed = changedSince === true ? 'the live version may have changed since' : '';
  const details = [age, changed, failed].filter((one) => one !== '').join('; ');
  return `${version ?? 'none'} (${details})`;
}

const wantedOf = ({ wanted }: LaneAnswer): string => wanted?.version ?? wanted?.commit?.slice(0, 12) ?? '–';

function formatAge(seconds: number): string {
  if (seconds < 120) return `${String(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${String(minutes)} min` : `${String(Math.round(minutes / 60))} h`;
}

function stateOf({ active, holds, pauses, outOfStep, disagreements }: LaneAnswer): string {
  const parts = [
    ...(outOfStep === true ? [`out of step: ${(disagreements ?? []).join('; ')}`] : []),
    ...(pauses ?? []).map(({ reason, by }) => `paused: ${reason} (${describeActor(by)})`),
    ...holds.map(({ reason, by }) => `on hold: ${reason} (${describeActor(by)})`),
    ...(active ? [`${active.version ?? active.id}: ${active.status ?? active.state}`] : []),
  ];
  return parts.length === 0 ? 'idle' : parts.join('; ');
}

/** How to fix what holds a lane, without repetitions. */
function hintsOf({ holds }: LaneAnswer): readonly string[] {
  return [...new Set(holds.flatMap(({ hint }) => hint ?? []))];
}
