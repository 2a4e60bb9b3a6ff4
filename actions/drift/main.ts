import { drift as driftFlow, type DriftReport } from '../../flows/drift/drift.ts';
import { driftOfVersion, describeEnvironment } from '../../flows/drift/drift-lines.ts';
import { driftCounts, reportOfDrift } from '../../flows/drift/report.ts';
import { fetchTags } from '../../lib/github/workflow-run/fetch-commit.ts';
import type { Action } from '../kit/step/action.ts';
import { jsonList } from '../kit/step/json-list.ts';
import { openPlatform } from '../kit/inputs/platform-access.ts';
import { commonOutputs } from '../kit/inputs/platform-inputs.ts';
import { openProject } from '../kit/checkout/project.ts';
import { readRunSettings } from '../kit/checkout/read-run-settings.ts';
import { driftInputs } from './inputs.ts';

/** Compares the environments with the tags. */
export const drift: Action<typeof driftInputs.shape> = {
  name: 'drift',
  title: 'Drift',
  description: 'Compares the enabled versions of each environment with the tags in git.',
  inputs: driftInputs,
  outputs: {
    ...commonOutputs,
    newest: 'The newest released version.',
    unknown: 'Number of enabled versions without a tag, or with a tag on another commit.',
    behind: 'Number of environments whose live version is older than the newest tag.',
    disabled: 'Number of disabled versions.',
    environments:
      'The compared environments as a JSON list, for `fromJSON` in a matrix; empty if it is longer than 10,000 characters.',
    'behind-environments':
      'The environments whose live version is older than the newest tag, in the same form.',
  },
  async run(inputs, step) {
    const directory = inputs['working-directory'];
    const project = await openProject(step, directory);
    const { environment, context } = step;
    await fetchTags({ directory: project.path, environment, signal: context.signal });
    const config = await readRunSettings(directory, step);
    await using platform = openPlatform(inputs, config, step);
    const report = await driftFlow(
      {
        repository: project.repository,
        release: config.release,
        environments: config.environments,
        only: inputs.environments,
        failOn: inputs['fail-on'],
      },
      platform,
    );
    const counts = driftCounts(report);
    return {
      report: reportOfDrift(report, config.release.tag),
      reasons: reasonsOf(report),
      details: report,
      outputs: {
        newest: report.newest ?? '',
        ...counts,
        environments: jsonList(report.environments.map(({ environment: name }) => name)),
        'behind-environments': jsonList(
          report.environments.flatMap(({ environment: name, behind = 0 }) => (behind > 0 ? [name] : [])),
        ),
      },
    };
  },
};

/** The differences, for the log. The tables are only in the job summary. */
function reasonsOf(report: DriftReport): string[] {
  return [
    ...report.environments.flatMap((environment) =>
      environment.exists && (environment.behind ?? 0) === 0
        ? []
        : [`${environment.environment}: ${describeEnvironment(environment)}`],
    ),
    ...report.environments.flatMap(({ environment, versions }) =>
      versions.flatMap((version) => {
        const words = version.enabled ? driftOfVersion(version) : '';
        return words === '' ? [] : [`${environment}: ${version.version}: ${words}`];
      }),
    ),
  ];
}
