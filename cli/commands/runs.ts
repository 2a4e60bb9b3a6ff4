import { act, type AddCommand, define } from '../command.ts';
import { count } from '../count.ts';
import { jsonLines } from '../json-lines.ts';
import type { CommonOptions } from '../session.ts';

interface Options extends CommonOptions {
  readonly lane?: string;
  readonly limit: number;
}

/** `millrace runs`: the newest runs, or one with its history. */
export const addRuns: AddCommand = (program, shell) => {
  define(program, 'runs', 'Show the runs of a running worker, newest first; or one with its history.')
    .argument('[run]', 'id of a run')
    .option('--lane <id>', 'of this lane only')
    .option('--limit <number>', 'how many', count, 50)
    .action(
      act<Options>(shell, async (session, { lane, limit }, id) => {
        const { anyAnswer, askWorker, runsAnswer } = await import('../operator-api.ts');
        if (id !== undefined) {
          const run = await askWorker(
            session,
            { method: 'GET', path: `runs/${encodeURIComponent(id)}` },
            anyAnswer,
          );
          session.output.result(run, jsonLines(run));
          return 'passed';
        }
        const query = new URLSearchParams({ limit: String(limit), ...(lane === undefined ? {} : { lane }) });
        const { runs } = await askWorker(
          session,
          { method: 'GET', path: `runs?${query.toString()}` },
          runsAnswer,
        );
        session.output.result(
          { runs },
          runs.length === 0
            ? ['No run yet.']
            : runs.map(
                (run) =>
                  `${run.id} ${run.lane} ${run.version ?? '–'}: ${run.outcome ?? run.state}; ${run.status ?? ''}`,
              ),
        );
        return 'passed';
      }),
    );
};
