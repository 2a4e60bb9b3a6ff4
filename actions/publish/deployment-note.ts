import { recordDeployment } from '../../lib/github/deployment.ts';
import { Failure } from '../../lib/core/failure.ts';
import { connectTo } from '../kit/connect.ts';
import type { Step } from '../kit/step.ts';

export interface Deployed {
  readonly version: string;
  readonly environment: string;
  readonly commit: string;
  readonly state: 'success' | 'failure';
}

/** Records the deployment on GitHub. What is not allowed is a note: the version is published all the same. */
export async function noteDeployment(
  { version, environment, commit, state }: Deployed,
  token: string | undefined,
  step: Step,
): Promise<string[]> {
  const connection = await connectTo(token, step);
  if (connection === undefined) return ['The deployment was not recorded: there is no github-token.'];
  const { serverUrl, repository } = step.facts;
  const run = step.environment['GITHUB_RUN_ID'] ?? '';
  try {
    await recordDeployment(connection, {
      commit,
      environment,
      state,
      description: `${version} was ${state === 'success' ? 'published' : 'not published'} by Millrace`,
      payload: { version },
      logUrl: run === '' ? undefined : `${serverUrl}/${repository}/actions/runs/${run}`,
    });
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [`The deployment was not recorded. ${error.message} ${error.hint}`];
  }
}
