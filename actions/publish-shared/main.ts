import { publishShared as publishSharedFlow } from '../../flows/publish/publish-shared.ts';
import { planPublishShared } from '../../flows/publish/plan-publication.ts';
import { reportOfPublishShared } from '../../flows/publish/report.ts';
import { uncommittedFiles } from '../../flows/project/uncommitted-files.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { sharedPipelinesPath } from '../../lib/pipelines/model/shared-pipelines.ts';
import { uploadLimitMs } from '../../lib/core/ports/time-limits.ts';
import type { Action, StepResult } from '../kit/step/action.ts';
import { manifestFiles, noteUncommitted } from '../kit/releases/manifest-file.ts';
import { orderGuard, warnOfOrder } from '../kit/releases/order-guard.ts';
import { missingInputs, openPlatform } from '../kit/inputs/platform-access.ts';
import { commonOutputs, manifestOutput } from '../kit/inputs/platform-inputs.ts';
import { openRelease } from '../kit/releases/release-source.ts';
import { publishSharedInputs } from './inputs.ts';

/** Publishes the shared pipelines of the project as one version. */
export const publishShared: Action<typeof publishSharedInputs.shape> = {
  name: 'publish-shared',
  title: 'Publish shared pipelines',
  description:
    'Publishes the shared pipelines of a commit as one immutable version. A re-run publishes nothing twice.',
  inputs: publishSharedInputs,
  outputs: {
    ...commonOutputs,
    version: 'The version name.',
    prefix: 'The prefix of the shared pipeline ids.',
    commit: 'The commit that they were published from.',
    shared: 'Number of shared pipelines.',
    'manifest-path': manifestOutput,
    disabled: 'Older versions that were disabled, one per line.',
  },
  async run(inputs, step) {
    const { project, config, commit, version, branch } = await openRelease(inputs, step);
    const prefix = inputs.prefix ?? config.release.shared?.prefix;
    if (prefix === undefined) {
      if (inputs['without-prefix'] === 'skip') return nothingShared(version, commit);
      throw new Failure('usage', {
        message: 'The prefix of the shared pipelines is missing.',
        where: { input: 'prefix' },
        hint: 'Set the input "prefix", or release.shared.prefix in millrace.yaml. To skip shared pipelines without a prefix, set the input "without-prefix" to skip.',
      });
    }
    const request = {
      repository: project.repository,
      directory: project.directory,
      commit,
      branch,
      version,
      prefix,
      include: config.files.include,
      exclude: config.files.exclude,
      callFolder: config.callFolder,
      configDir: config.configDir,
      keepEnabled: inputs['keep-enabled'],
      dryRun: inputs['dry-run'],
      guard: orderGuard(config, undefined, inputs, step),
    };
    // Runs in parallel: it reads the disk, the rest reads git objects and calls the platform.
    const uncommitted = uncommittedFiles(
      { ...request, include: [...request.include, sharedPipelinesPath(config.configDir)] },
      step.context.signal,
    );
    uncommitted.catch(() => {});
    const missing = inputs['dry-run'] ? missingInputs(inputs, config, step) : [];
    await using platform =
      missing.length === 0 ? openPlatform(inputs, config, step, uploadLimitMs) : undefined;
    const published =
      platform === undefined
        ? await planPublishShared(request, step.context)
        : await publishSharedFlow(request, platform);
    const { sharedPipelines, disabled } = published;
    const leftOut = await uncommitted;
    warnOfOrder(published, step);
    noteUncommitted(leftOut, step);
    return {
      report: reportOfPublishShared(published, {
        directory: project.directory,
        configDir: config.configDir,
        missing,
        uncommitted: leftOut,
      }),
      details: published,
      files: manifestFiles(published),
      outputs: {
        version,
        prefix,
        commit: published.commit,
        shared: sharedPipelines.length,
        disabled: disabled.join('\n'),
      },
    };
  },
};

function nothingShared(version: string, commit: string): StepResult {
  return {
    report: {
      title: 'Publish shared pipelines',
      outcome: 'nothing-to-do',
      headline: 'Nothing to share: millrace.yaml does not set release.shared.prefix.',
      facts: [],
      findings: [],
      notes: [],
    },
    details: {},
    outputs: { version, prefix: '', commit, shared: 0, disabled: '' },
  };
}
