import { publish as publishFlow } from '../../flows/publish/publish.ts';
import { planPublish } from '../../flows/publish/plan-publication.ts';
import { reportOfPublish } from '../../flows/publish/report.ts';
import { requireEnvironment } from '../../flows/context/require-environment.ts';
import { uncommittedFiles } from '../../flows/project/uncommitted-files.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { uploadLimitMs } from '../../lib/core/ports/time-limits.ts';
import type { Action } from '../kit/step/action.ts';
import { openDeployment } from '../kit/releases/deployment-record.ts';
import { manifestFiles, noteUncommitted } from '../kit/releases/manifest-file.ts';
import { orderGuard, warnOfOrder } from '../kit/releases/order-guard.ts';
import { missingInputs, openPlatform } from '../kit/inputs/platform-access.ts';
import { commonOutputs, manifestOutput } from '../kit/inputs/platform-inputs.ts';
import { openRelease } from '../kit/releases/release-source.ts';
import { openSigner } from '../kit/releases/evidence-inputs.ts';
import { publishInputs } from './inputs.ts';
import { reviewBeforePublish } from './review-before-publish.ts';

/** Publishes the project as an artifact, under the version of a tag. */
export const publish: Action<typeof publishInputs.shape> = {
  name: 'publish',
  title: 'Publish',
  description:
    'Publishes the pipelines of a commit as an artifact with an immutable version. A re-run publishes nothing twice.',
  inputs: publishInputs,
  outputs: {
    ...commonOutputs,
    version: 'The version name.',
    environment: 'The environment that it was published to.',
    commit: 'The commit that it was published from.',
    files: 'Number of files that were sent; 0 if the version already existed.',
    'manifest-path': manifestOutput,
  },
  async run(inputs, step) {
    const source = await openRelease(inputs, step);
    const { project, config, commit, version, branch } = source;
    const environment = inputs.environment ?? config.release.environment;
    if (environment === undefined) {
      throw new Failure('usage', {
        message: 'The environment to publish to is missing.',
        where: { input: 'environment' },
        hint: 'Give the input environment, or set release.environment in millrace.yaml.',
      });
    }
    const request = {
      repository: project.repository,
      directory: project.directory,
      commit,
      branch,
      version,
      environment,
      include: config.files.include,
      exclude: config.files.exclude,
      callFolder: config.callFolder,
      connectors: inputs.connectors,
      dryRun: inputs['dry-run'],
      guard: orderGuard(config, environment, inputs, step),
    };
    // Runs in parallel: it reads the disk, the rest reads git objects and calls the platform.
    const uncommitted = uncommittedFiles(request, step.context.signal);
    uncommitted.catch(() => {});
    const missing = inputs['dry-run'] && !inputs['require-review'] ? missingInputs(inputs, config, step) : [];
    await using platform =
      missing.length === 0 ? openPlatform(inputs, config, step, uploadLimitMs) : undefined;
    const signer = inputs['dry-run'] ? undefined : await openSigner(inputs, step);
    const { directory } = project;
    const of =
      signer === undefined
        ? undefined
        : { directory, tree: await project.repository.treeOf(commit, { signal: step.context.signal }) };
    // A wrong file is refused before anything is published.
    const named =
      of === undefined || inputs.snapshot === undefined
        ? undefined
        : await (await snapshotFacts()).snapshotFact(inputs.snapshot, version, step, of);
    // GitHub creates an environment for any name, even for a mistyped one.
    if (inputs.deployment && platform !== undefined) await requireEnvironment(environment, platform);
    if (inputs['require-review'] && platform !== undefined) {
      const refused = await reviewBeforePublish(source, inputs, { platform, step });
      if (refused !== undefined) return refused;
    }
    const deployed = async (state: 'success' | 'failure'): Promise<readonly string[]> => {
      if (!inputs.deployment || inputs['dry-run']) return [];
      const deployment = await openDeployment({ version, environment, commit }, inputs, step);
      await deployment.setState(
        state,
        `${version} was ${state === 'success' ? '' : 'not '}published by Millrace`,
      );
      return deployment.notes;
    };
    const published = await (
      platform === undefined ? planPublish(request, step.context) : publishFlow(request, platform)
    ).catch(async (error: unknown) => {
      // A refusal of an older version changes nothing, on GitHub neither.
      const isRefused = error instanceof Failure && error.code === 'older-version';
      for (const note of isRefused ? [] : await deployed('failure')) step.log(note);
      throw error;
    });
    const { files, outcome } = published;
    const signed: string[] = [];
    if (signer !== undefined && of !== undefined && platform !== undefined) {
      const { projectId } = platform;
      if (outcome === 'passed') {
        const approvals = await signer.approvals(commit);
        const { provenanceFact } = await publicationFacts();
        const fact = provenanceFact(published, { project: projectId, directory }, step);
        const snapshot =
          named === undefined
            ? await (await snapshotFacts()).automaticSnapshot(source, of, step)
            : { facts: [named], notes: [] };
        const about = { repository: project.repository, commit };
        const note = await signer.add([fact, ...snapshot.facts, ...approvals.facts], about);
        signed.push(note, ...snapshot.notes, ...approvals.notes);
      } else signed.push(notSigned(version));
    }
    const leftOut = await uncommitted;
    warnOfOrder(published, step);
    noteUncommitted(leftOut, step);
    return {
      report: reportOfPublish(published, {
        directory: project.directory,
        missing,
        uncommitted: leftOut,
        // A re-run that published nothing is not a deployment.
        notes: [...signed, ...(outcome === 'passed' ? await deployed('success') : [])],
      }),
      details: published,
      files: manifestFiles(published),
      outputs: { version, environment, commit: published.commit, files: files.length },
    };
  },
};

/** Loaded only with a key: most publications have none. */
const publicationFacts = async () => import('./publication-facts.ts');

/** Takes snapshots, for which it reads pipelines. */
const snapshotFacts = async () => import('./snapshot-fact.ts');

/** This run does not know what an earlier one sent. */
function notSigned(version: string): string {
  return `No evidence was signed, because an earlier run published ${version}. If that run signed none, publish the commit under a new version.`;
}
