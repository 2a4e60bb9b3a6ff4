import { publish as publishFlow } from '../../flows/index.ts';
import { Failure } from '../../model/failure.ts';
import type { Action } from '../action.ts';
import { ignoredFindings, manifestFile, manifestTables } from '../manifest-tables.ts';
import { openPlatform } from '../platform-access.ts';
import { commonOutputs, manifestOutput } from '../platform-inputs.ts';
import { openRelease } from '../release-source.ts';
import { noteDeployment } from './deployment-note.ts';
import { publishInputs } from './inputs.ts';
import { refuseUnreviewed } from './require-review.ts';

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
    'manifest-path': manifestOutput,
  },
  async run(inputs, step) {
    const source = await openRelease(inputs, step);
    const { project, config, commit, version, branch } = source;
    const environment = inputs.environment ?? config.release.environment;
    if (environment === undefined) {
      throw new Failure('usage', {
        message: 'No environment to publish to was given.',
        where: { input: 'environment' },
        mend: 'Give the input environment, or set release.environment in millrace.yaml.',
      });
    }
    await using platform = openPlatform(inputs, config, step);
    if (inputs['require-review']) {
      const refused = await refuseUnreviewed(source, inputs, { platform, step });
      if (refused !== undefined) return refused;
    }
    const deployed = async (state: 'success' | 'failure'): Promise<string[]> =>
      inputs.deployment && !inputs['dry-run']
        ? await noteDeployment({ version, environment, commit, state }, inputs['github-token'], step)
        : [];
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
    ).catch(async (error: unknown) => {
      for (const note of await deployed('failure')) step.log(note);
      throw error;
    });
    const { files, outcome } = published;
    // A re-run deployed nothing.
    const notes = outcome === 'passed' ? await deployed('success') : [];
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
        notes,
      },
      details: published,
      files: { 'manifest-path': manifestFile(published) },
      outputs: { version, environment, commit: published.commit, files: files.length },
    };
  },
};
