import { act, type AddCommand, define } from '../../kit/command.ts';
import { count } from '../../terminal/count.ts';
import type { RunAnswer } from '../../kit/operator-answers.ts';
import type { CommonOptions } from '../../kit/session.ts';
import { tableLines } from '../../terminal/table.ts';
import { timelineLines } from '../../kit/timeline.ts';

interface Options extends CommonOptions {
  readonly lane?: string;
  readonly limit: number;
}

/** `millrace runs`: the newest runs, or one with its timeline. */
export const addRuns: AddCommand = (program, shell) => {
  define(program, 'runs', 'Show the runs of a running worker, newest first; or one with its timeline.')
    .argument('[run]', 'id of a run')
    .option('--lane <id>', 'of this lane only')
    .option('--limit <number>', 'how many', count, 50)
    .action(
      act<Options>(shell, async (session, { lane, limit }, id) => {
        const { askWorker } = await import('../../kit/operator-api.ts');
        const { runsAnswer, wholeRunAnswer } = await import('../../kit/operator-answers.ts');
        if (id !== undefined) {
          const path = `runs/${encodeURIComponent(id)}`;
          const run = await askWorker(session, { method: 'GET', path }, wholeRunAnswer);
          session.output.result(run, [...headOf(run), ...timelineLines(run.history)]);
          return 'passed';
        }
        const query = new URLSearchParams({ limit: String(limit), ...(lane === undefined ? {} : { lane }) });
        const { runs } = await askWorker(
          session,
          { method: 'GET', path: `runs?${query.toString()}` },
          runsAnswer,
        );
        const rows = runs.map((run) => [
          run.id,
          run.laneName ?? run.lane,
          run.version ?? '–',
          run.outcome ?? run.state,
          run.createdAt ?? '',
          run.status ?? '',
        ]);
        session.output.result(
          { runs },
          runs.length === 0
            ? ['No run yet.']
            : tableLines(['RUN', 'LANE', 'VERSION', 'STATE', 'CREATED', 'STATUS'], rows),
        );
        return 'passed';
      }),
    );
};

/** What a run is about, and what it waits for. */
export function headOf(run: RunAnswer): string[] {
  const { approvals, override } = run;
  const pusher = run.pusher ? `, pushed by ${run.pusher}` : '';
  const may = approvals?.mayApprove.length ? `; ${approvals.mayApprove.join(', ')} may approve` : '';
  return [
    `${run.id}: ${run.version ?? 'a version to be found'} through ${run.lane}: ${run.outcome ?? run.state}`,
    `  ${run.repository ?? ''} ${run.ref ?? ''} at ${run.commit.slice(0, 12)}${pusher}`,
    ...(run.status ? [`  ${run.status}`] : []),
    ...(approvals
      ? [`  approvals: ${approvals.given.length} of ${approvals.needed}${listed(approvals.given)}${may}`]
      : []),
    ...(override ? [`  may go in a freeze: ${override.why} (${override.by})`] : []),
  ];
}

const listed = (names: readonly string[]): string => (names.length === 0 ? '' : ` (${names.join(', ')})`);
