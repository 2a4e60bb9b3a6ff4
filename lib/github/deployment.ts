import type { GitHubConnection } from './connection.ts';
import { oneLine } from '../core/sanitize-text.ts';
import { shorten } from './foreign-text.ts';
import { githubFailure } from './github-failure.ts';

export interface DeploymentRecord {
  readonly commit: string;
  readonly environment: string;
  readonly state: 'success' | 'failure';
  readonly description: string;
  /** For other tools that read deployments. */
  readonly payload: Readonly<Record<string, string>>;
  /** The workflow run of the deployment. */
  readonly logUrl?: string | undefined;
}

/**
 * Records on GitHub that a commit was deployed to an environment, or that this failed. Throws Failure 'github-failed'
 * with the missing permission.
 */
export async function recordDeployment(
  { octokit, owner, repo }: GitHubConnection,
  { commit, environment, state, description, payload, logUrl }: DeploymentRecord,
): Promise<void> {
  try {
    const { data } = await octokit.rest.repos.createDeployment({
      owner,
      repo,
      ref: commit,
      environment,
      description: shorten(oneLine(description), 140),
      payload: { ...payload },
      // Otherwise GitHub would merge the default branch into the ref, and wait for every status of the commit,
      // including ours.
      auto_merge: false,
      required_contexts: [],
    });
    if (!('id' in data)) return;
    await octokit.rest.repos.createDeploymentStatus({
      owner,
      repo,
      deployment_id: data.id,
      state,
      description: shorten(oneLine(description), 140),
      ...(logUrl === undefined ? {} : { log_url: logUrl }),
    });
  } catch (error) {
    throw githubFailure('record the deployment', 'deployments: write', error);
  }
}
