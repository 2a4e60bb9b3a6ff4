import { Failure } from '../../lib/core/failure.ts';
import { connectToGitHub } from '../kit/connect-to-github.ts';
import type { Step } from '../kit/step.ts';

export interface PublishedDeployment {
  readonly version: string;
  readonly environment: string;
  readonly commit: string;
  readonly state: 'success' | 'failure';
}

/** Records the deployment on GitHub. A failure is returned as a note, because the version is already published. */
export async function recordPublishedDeployment(
  { version, environment, commit, state }: PublishedDeployment,
  token: string | undefined,
  step: Step,
): Promise<string[]> {
  const connection = await connectToGitHub(token, step);
  if (connection === undefined) return ['The deployment was not recorded: the input github-token is empty.'];
  const { serverUrl, repository } = step.facts;
  const run = step.environment['GITHUB_RUN_ID'] ?? '';
  try {
    const { deployments } = connection;
    const description = `${version} was ${state === 'success' ? 'published' : 'not published'} by Millrace`;
    const deployment = { commit, environment, description, payload: { version } };
    const { id } = await deployments.create(repository, deployment);
    const logUrl = run === '' ? undefined : `${serverUrl}/${repository}/actions/runs/${run}`;
    await deployments.setStatus(repository, id, { state, description, logUrl });
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [`The deployment was not recorded. ${error.message} ${error.hint}`];
  }
}
