import { Option } from 'commander';
import { configWarnings } from '../../../worker/records/config-warnings.ts';
import { commandAction, type AddCommand, defineCommand, parseDurationOption } from '../../kit/command.ts';
import { describeActor } from '../../operate/describe-actor.ts';
import type { LaneAnswer, LanesAnswer } from '../../operate/operator-answers.ts';
import { pauseLines } from '../../operate/pause-lines.ts';
import { describeWait } from './promotions.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { withProgramName } from '../../terminal/program-name.ts';
import { roundedDuration } from '../../../lib/core/text/duration-text.ts';
import { tableLines } from '../../../lib/core/text/table-lines.ts';
import { eventRows, timelineLines } from '../../operate/timeline.ts';
import { watchRows } from '../../operate/watch-rows.ts';

interface Options extends CommonOptions {
  readonly watch?: boolean;
  readonly every: number;
}

const heads = ['LANE', 'REPOSITORY', 'LIVE', 'VERIFIED', 'WANTED', 'QUEUED', 'STATE'];

/** `millrace lanes`: live version, active promotion and holds of each lane; or one lane with its history. */
export const addLanes: AddCommand = (program, shell) => {
  defineCommand(program, 'lanes', 'Show the lanes of a running worker, or one lane with its history.')
    .argument('[lane]', 'name or id of a lane')
    .option('--watch', 'print each change until Ctrl-C')
    .addOption(
      new Option('--every <time>', 'interval between requests with --watch')
        .argParser(parseDurationOption)
        .default(2_000, '2s'),
    )
    .action(
      commandAction<Options>(shell, async (session, options, laneName) => {
        const { watch, every: everyMs, json = false } = options;
        if (laneName === undefined) {
          const read = () => readLanes(session);
          if (watch === true) await watchLanes(session, { read, everyMs, json });
          else showLanes(session, await read());
          return 'passed';
        }
        const { findTargetId } = await import('../../operate/find-target-id.ts');
        const id = await findTargetId(session, 'lane', laneName);
        const read = () => readLane(session, id);
        if (watch === true)
          await watchRows(session, {
            heads: ['EVENT', 'DETAILS'],
            everyMs,
            json,
            read: async () => {
              const lane = await read();
              return { notes: headOf(lane, session, false), rows: eventRows(lane.history) };
            },
          });
        else {
          const lane = await read();
          session.output.result(lane, [...headOf(lane, session, true), ...timelineLines(lane.history)]);
        }
        return 'passed';
      }),
    );
};

async function readLanes(session: Session): Promise<LanesAnswer> {
  const { askWorker } = await import('../../operate/operator-api.ts');
  const { lanesAnswer } = await import('../../operate/operator-answers.ts');
  return askWorker(session, { method: 'GET', path: 'lanes' }, lanesAnswer);
}

async function readLane(session: Session, id: string) {
  const { askWorker } = await import('../../operate/operator-api.ts');
  const { wholeLaneAnswer } = await import('../../operate/operator-answers.ts');
  return askWorker(session, { method: 'GET', path: `lanes/${encodeURIComponent(id)}` }, wholeLaneAnswer);
}

function showLanes(session: Session, answer: LanesAnswer): void {
  const { lanes } = answer;
  const rows = lanes.map((lane) => cellsOf(lane, lanes, true));
  session.output.result(
    answer,
    lanes.length === 0
      ? [...warningsOf(answer, session), noLanes]
      : [
          ...warningsOf(answer, session),
          ...tableLines(heads, rows),
          ...lanes.flatMap((lane) => namedHints(lane, session)),
        ],
  );
}

interface LanesWatch {
  readonly read: () => Promise<LanesAnswer>;
  readonly everyMs: number;
  readonly json: boolean;
}

async function watchLanes(session: Session, { read, everyMs, json }: LanesWatch): Promise<void> {
  await watchRows(session, {
    heads,
    everyMs,
    json,
    gone: ({ id, cells: [name = '', repository = ''] }) => ({
      cells: [name, repository, '–', '–', '–', '–', 'the worker no longer has this lane'],
      value: { id, gone: true },
    }),
    async read() {
      const answer = await read();
      const { lanes } = answer;
      const hints = lanes.length === 0 ? [noLanes] : lanes.flatMap((lane) => namedHints(lane, session));
      return {
        notes: [...warningsOf(answer, session), ...hints],
        rows: lanes.map((lane) => ({ id: lane.id, cells: cellsOf(lane, lanes, false), value: lane })),
      };
    },
  });
}

const noLanes = 'No lanes yet: the worker has not received a push for a lane.';

const warningsOf = ({ config, pauses }: LanesAnswer, { io }: Session): string[] => [
  ...(config ? configWarnings(config) : []),
  ...pauseLines(pauses, io),
];

const namedHints = (lane: LaneAnswer, session: Session): string[] =>
  hintsOf(lane, session).map((hint) => `${lane.name}: ${hint}`);

/** `withAge`: how long ago the platform said what is live. */
function cellsOf(lane: LaneAnswer, all: readonly LaneAnswer[], withAge: boolean): string[] {
  return [
    // Other commands accept the name only if it is unique.
    all.some(({ id, name }) => name === lane.name && id !== lane.id) ? lane.id : lane.name,
    lane.repository ?? '',
    liveOf(lane, withAge),
    lane.verified?.version ?? '–',
    wantedOf(lane),
    String(lane.waiting.length),
    stateOf(lane),
  ];
}

function headOf(lane: LaneAnswer, session: Session, withAge: boolean): string[] {
  return [
    `${lane.id}: ${lane.from ?? ''} to ${lane.to ?? ''}, ${lane.repository ?? ''}`,
    `  live:     ${liveOf(lane, withAge)}`,
    `  verified: ${lane.verified?.version ?? '–'}`,
    `  wanted:   ${wantedOf(lane)}`,
    `  ${stateOf(lane)}`,
    ...hintsOf(lane, session).map((hint) => `  ${hint}`),
  ];
}

/** The last answer of the platform and its age; never what is only expected. */
function liveOf({ live }: LaneAnswer, withAge: boolean): string {
  const { state, version, ageSeconds, changedSince, problem } = live ?? {};
  const failed = problem ? `the platform does not answer the worker: ${problem.reason}` : '';
  if (state === undefined || state === null || state === 'not-known')
    return failed === '' ? 'not known' : `not known (${failed})`;
  const age =
    !withAge || ageSeconds === undefined || ageSeconds === null
      ? ''
      : `${roundedDuration(ageSeconds * 1_000)} ago`;
  const changed = changedSince === true ? 'the live version may have changed since' : '';
  const details = [age, changed, failed].filter((detail) => detail !== '').join('; ');
  return details === '' ? (version ?? 'none') : `${version ?? 'none'} (${details})`;
}

const wantedOf = ({ wanted }: LaneAnswer): string => wanted?.version ?? wanted?.commit?.slice(0, 12) ?? '–';

function stateOf({ active, holds, pauses, outOfStep, disagreements }: LaneAnswer): string {
  const parts = [
    ...(outOfStep === true ? [`out of step: ${(disagreements ?? []).join('; ')}`] : []),
    ...(pauses ?? []).map(({ reason, by }) => `paused: ${reason} (${describeActor(by)})`),
    ...holds.map(({ reason, by }) => `on hold: ${reason} (${describeActor(by)})`),
    ...(active ? [`${active.version ?? active.id}: ${active.status ?? active.state}${waitOf(active)}`] : []),
  ];
  return parts.length === 0 ? 'idle' : parts.join('; ');
}

const waitOf = ({ approvalWait }: NonNullable<LaneAnswer['active']>): string =>
  approvalWait ? `, ${describeWait(approvalWait)}` : '';

/** How to fix what holds a lane, without repetitions. */
function hintsOf({ holds }: LaneAnswer, { io }: Session): readonly string[] {
  return [...new Set(holds.flatMap(({ hint }) => (hint ? withProgramName(hint, io) : [])))];
}
