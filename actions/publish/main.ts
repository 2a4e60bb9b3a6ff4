import { publish as publishFlow } from '../../flows/index.ts';
import { Failure } from '../../model/failure.ts';
import type { Action } from '../action.ts';
import { ignoredFindings, manifestTables } from '../manifest-tables.ts';
import { openPlatform } from '../platform-access.ts';
import { commonOutputs } from '../platform-inputs.ts';
import { openRelease } from '../release-source.ts';
import { publishInputs } from './inputs.ts';

/** Publishes the project as an artifact under the version that a tag stands for. */
export const publish: Action<typeof publishInputs.shape> = {
  name: 'publish',
  title: 'Publish',
  description:
    'Publishes the pipelines of a commit as an artifact under an immutable version, once, whatever is re-run.',
  inputs: publishInputs,
  outputs: {
    ...commonOutputs,
    version: 'The version name.',
    environment: 'The environment that it was published to.',
    commit: 'The commit that it was published from.',
    files: 'Number of files in the artifact.',
  },
  async run(inputs, step) {
    const { project, config, commit, version, branch } = await openRelease(inputs, step);
    const environment = inputs.environment ?? config.release.environment;
    if (environment === undefined) {
      throw new Failure('usage', {
        message: 'No environment to publish to was given.',
        where: { input: 'environment' },
        mend: 'Give the input environment, or set release.environment in millrace.yaml.',
      });
    }
    await using platform = openPlatform(inputs, config, step);
    const published = await publishFlow(
      {
        repository: project.repository,
        directory: project.directory,
        commit,
        branch,
        version,
        environment,
        include: config.files.include,
        exclude: config.files.exclude,
        connectors: inputs.connectors,
        dryRun: inputs['dry-run'],
      },
      platform,
    );
    const { files, outcome } = published;
    const what = `${version} in ${environment}, ${String(files.length)} files from ${commit.slice(0, 12)}`;
    return {
      report: {
        title: 'Publish',
        outcome,
        headline: inputs['dry-run']
          ? `Would publish ${what}.`
          : outcome === 'already-done'
            ? `Was there already: ${what}.`
            : `Published ${what}.`,
        facts: [
          ['version', version],
          ['environment', environment],
          ['commit', published.commit],
        ],
        findings: ignoredFindings(published, project),
        tables: manifestTables(published),
        notes: [],
      },
      details: published,
      outputs: { version, environment, commit: published.commit, files: files.length },
    };
  },
};
