import { requireEnvironment } from '../../../flows/context/require-environment.ts';
import type { PlatformContext } from '../../../flows/context/context.ts';
import { listArtifacts } from '../../../flows/versions/find-artifact.ts';
import { liveVersion } from '../../../flows/versions/live-version.ts';
import { commitIdPattern } from '../../../lib/core/values/commit-id.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { exitCodes, type Outcome } from '../../../lib/core/outcomes/outcome.ts';
import { annotationCommand } from '../../../lib/report/annotations.ts';
import type { DeploymentState } from '../../../lib/github/endpoints/deployments.ts';
import { connectToGitHub } from '../step/connect-to-github.ts';
import { flag, secret, text } from '../inputs/input-field.ts';
import type { Step } from '../step/step.ts';

/** The inputs of an action that can record a deployment. */
export const deploymentInputs = {
  deployment: flag(false, 'Record a deployment on GitHub. The job needs `deployments: write`.'),
  'deployment-url': text(
    'Address that GitHub links from the deployment, such as a dashboard of the environment.',
  ),
  'github-token': secret('Token for GitHub’s API, for the deployment.', '${{ github.token }}'),
};

export interface DeploymentInputs {
  readonly deployment: boolean;
  readonly 'deployment-url'?: string | undefined;
  readonly 'github-token'?: string | undefined;
}

/** The version that is deployed, and its environment. */
export interface Deployed {
  readonly version: string;
  readonly environment: string;
  readonly commit: string;
  /** The version that is no longer live afterwards. */
  readonly replaced?: string | undefined;
}

/** Milliseconds for the last status after a cancel: GitHub kills the step soon. */
const afterCancelMs = 1_500;

/**
 * A deployment on GitHub. If something cannot be written, the step only shows a warning; its outcome does not
 * change.
 */
export interface OpenDeployment {
  setState(state: DeploymentState, description: string): Promise<void>;
  /** Marks the active deployments of a version as inactive, if GitHub does not do so: in production environments. */
  closeVersion(version: string): Promise<void>;
  /** For the report. */
  readonly notes: readonly string[];
}

/** Creates a deployment on GitHub. After the first failure, it writes nothing more. */
export async function openDeployment(
  { version, environment, commit }: Deployed,
  inputs: Omit<DeploymentInputs, 'deployment'>,
  step: Step,
): Promise<OpenDeployment> {
  const { serverUrl, repository } = step.facts;
  const run = step.environment['GITHUB_RUN_ID'] ?? '';
  const logUrl = run === '' ? undefined : `${serverUrl}/${repository}/actions/runs/${run}`;
  const notes: string[] = [];
  const connect = async (signal: AbortSignal) =>
    connectToGitHub(inputs['github-token'], { ...step, context: { ...step.context, signal } });
  let open = await attempt(() => connect(step.context.signal));
  if (open === undefined && notes.length === 0)
    warn('The deployment was not recorded: the input github-token is empty.');
  const description = `${version} by Millrace`;
  const created = open && { commit, environment, description, payload: { version } };
  const id =
    created && (await attempt(async () => (await open?.deployments.create(repository, created))?.id));

  function warn(note: string): void {
    notes.push(note);
    step.command(annotationCommand('warning', note, { title: 'Millrace: deployment' }));
  }
  async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (notes.length > 0) return undefined;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      warn(`The deployment was not recorded. ${error.message} ${error.hint}`);
      return undefined;
    }
  }
  return {
    notes,
    async setState(state, stateText) {
      if (id === undefined) return;
      if (step.context.signal.aborted)
        open = await attempt(() => connect(AbortSignal.timeout(afterCancelMs)));
      const status = { state, description: stateText, logUrl, environmentUrl: inputs['deployment-url'] };
      await attempt(async () => open?.deployments.setStatus(repository, id, status));
    },
    async closeVersion(other) {
      if (id === undefined) return;
      await attempt(async () => {
        const ids = (await open?.deployments.ofVersion(repository, environment, other)) ?? [];
        for (const old of ids.filter((candidate) => candidate !== id)) {
          if ((await open?.deployments.readStatus(repository, old))?.state !== 'success') continue;
          const replaced = `${other} is no longer live`;
          await open?.deployments.setStatus(repository, old, {
            state: 'inactive',
            description: replaced,
            logUrl,
          });
        }
      });
    },
  };
}

/**
 * Does the work of a step with a deployment around it: first `in_progress`, then the state for the outcome. Without
 * `deployed`, no deployment is created.
 */
export async function withDeployment<Result extends { readonly outcome: Outcome }>(
  deployed: Deployed | undefined,
  inputs: DeploymentInputs,
  step: Step,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly notes: readonly string[] }> {
  if (deployed === undefined) return { result: await work(), notes: [] };
  const { version, environment, replaced } = deployed;
  const deployment = await openDeployment(deployed, inputs, step);
  await deployment.setState('in_progress', `${version} is on its way to ${environment}`);
  try {
    const result = await work();
    const state = stateOf[result.outcome];
    await deployment.setState(state, `${version} in ${environment}: ${result.outcome}`);
    if (state === 'success' && replaced !== undefined && replaced !== version)
      await deployment.closeVersion(replaced);
    return { result, notes: deployment.notes };
  } catch (error) {
    const exitCode = error instanceof Failure ? error.exitCode : exitCodes.remote;
    const state =
      exitCode === exitCodes.unknown ? 'error' : exitCode === exitCodes.cancelled ? 'inactive' : 'failure';
    await deployment.setState(state, `${version} in ${environment}: ${state}`);
    throw error;
  }
}

/** `inactive`: the environment was not changed. */
const stateOf: Readonly<Record<Outcome, DeploymentState>> = {
  passed: 'success',
  failed: 'failure',
  'already-done': 'inactive',
  'nothing-to-do': 'inactive',
  superseded: 'inactive',
  'skipped-fork': 'inactive',
  cancelled: 'inactive',
  indeterminate: 'error',
  error: 'failure',
};

/**
 * Finds the deployed version and its commit: the commit that the platform gives, otherwise the commit of the
 * workflow run.
 * @param version the version that is deployed; the live version if absent
 * @throws {Failure} for an unknown environment, because GitHub would create it
 */
export async function findDeployed(
  {
    environment,
    source = environment,
    version,
    replaced,
  }: {
    readonly environment: string;
    /** Where the version is now. */
    readonly source?: string;
    readonly version: string | undefined;
    readonly replaced?: string | undefined;
  },
  platform: PlatformContext,
  { facts }: Step,
): Promise<Deployed> {
  await requireEnvironment(environment, platform);
  const artifacts = await listArtifacts(source, platform);
  const artifact =
    version === undefined
      ? liveVersion(artifacts)
      : artifacts.find(({ versionName }) => versionName === version);
  const commit = artifact?.commitHash ?? '';
  const isCommit = commitIdPattern.test(commit) && !/^0+$/u.test(commit);
  return {
    version: version ?? artifact?.versionName ?? 'no version',
    environment,
    commit: isCommit ? commit : facts.sha,
    replaced,
  };
}
