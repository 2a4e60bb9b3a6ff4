import { commandAction, type AddCommand, defineCommand } from '../../kit/command.ts';
import type { MetricsAnswer } from '../../operate/operator-answers.ts';
import type { CommonOptions } from '../../kit/session.ts';
import { parseCount } from '../../terminal/parse-count.ts';
import { tableLines } from '../../../lib/core/text/table-lines.ts';

interface Options extends CommonOptions {
  readonly repository?: string;
  readonly lane?: string;
  readonly days: number;
}

/** `millrace metrics`: how often, how fast and how safely versions are delivered. */
export const addMetrics: AddCommand = (program, shell) => {
  defineCommand(program, 'metrics', 'Show the delivery metrics of the repositories and lanes of a worker.')
    .option('--repository <name>', 'only this repository, such as example/warehouse')
    .option('--lane <lane>', 'only the lane with this name or id')
    .option('--days <number>', 'the last days that count, at most 30', parseCount, 30)
    .action(
      commandAction<Options>(shell, async (session, { repository, lane, days }) => {
        const { askWorker } = await import('../../operate/operator-api.ts');
        const { metricsAnswer } = await import('../../operate/operator-answers.ts');
        const { metricTexts } = await import('../../../flows/metrics/metric-texts.ts');
        const query = new URLSearchParams({
          days: String(days),
          ...(repository === undefined ? {} : { repository }),
          ...(lane === undefined ? {} : { lane }),
        });
        const path = `metrics?${query.toString()}`;
        const answer = await askWorker(session, { method: 'GET', path }, metricsAnswer);
        if (answer.lanes.length === 0 && lane !== undefined) {
          const { findLanes } = await import('../../operate/find-target-id.ts');
          await findLanes(session, lane);
        }
        const textsOf = (metrics: MetricsAnswer): readonly string[] => {
          const texts = metricTexts(metrics);
          const { deployments, changes, failures } = metrics;
          return [
            String(deployments),
            texts.frequency,
            texts.leadTime,
            changes === 0 ? '–' : `${texts.changeFailureRate} (${String(failures)} of ${String(changes)})`,
            texts.timeToRestore,
          ];
        };
        const measured = ['DEPLOYMENTS', 'FREQUENCY', 'LEAD TIME', 'CHANGE FAILURES', 'TIME TO RESTORE'];
        const ofRepositories = answer.repositories.map((entry) => [
          entry.repository,
          entry.environments.join(', '),
          ...textsOf(entry),
        ]);
        const ofLanes = answer.lanes.map((entry) => [
          entry.laneName,
          entry.repository,
          `${entry.from} to ${entry.to}`,
          ...textsOf(entry),
        ]);
        session.output.result(
          answer,
          answer.lanes.length === 0
            ? [
                repository === undefined && lane === undefined
                  ? 'No lanes.'
                  : 'No lanes with this name or repository.',
              ]
            : [
                `From ${answer.since} to ${answer.until}. A repository counts in the environments at the end of its lanes.`,
                ...tableLines(['REPOSITORY', 'ENVIRONMENT', ...measured], ofRepositories),
                '',
                ...tableLines(['LANE', 'REPOSITORY', 'PATH', ...measured], ofLanes),
              ],
        );
        return 'passed';
      }),
    );
};
