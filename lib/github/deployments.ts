import { oneLine } from '../core/sanitize-text.ts';
import { shorten } from './foreign-text.ts';
import type { Ask } from './ask.ts';

export type DeploymentState = 'queued' | 'in_progress' | 'success' | 'failure' | 'error' | 'inactive';

export interface NewDeployment {
  readonly commit: string;
  readonly environment: string;
  /** The id of the promotion, to find the deployment again. */
  readonly promotion: string;
  readonly lane: string;
  readonly version: string;
}

export interface DeploymentStatus {
  readonly state: DeploymentState;
  readonly description: string;
  readonly logUrl: string | undefined;
  readonly environmentUrl: string | undefined;
}

/** Deployments and their statuses. */
export interface Deployments {
  create(fullName: string, deployment: NewDeployment): Promise<number>;
  /** The deployment of a promotion, found by commit and environment. */
  find(
    fullName: string,
    deployment: Pick<NewDeployment, 'commit' | 'environment' | 'promotion'>,
  ): Promise<number | undefined>;
  setStatus(fullName: string, id: number, status: DeploymentStatus): Promise<void>;
  /** The newest status. */
  readStatus(
    fullName: string,
    id: number,
  ): Promise<{ readonly state: string; readonly description: string } | undefined>;
}

/** A text within GitHub's limits for deployments. */
export const deploymentText = (text: string): string => shorten(oneLine(text), 140);

export function deployments(ask: Ask): Deployments {
  return {
    async create(fullName, { commit, environment, promotion, lane, version }) {
      const made = await ask(
        `create a deployment of ${fullName}`,
        fullName,
        async ({ octokit, owner, repo }) => {
          const { data } = await octokit.rest.repos.createDeployment({
            owner,
            repo,
            ref: commit,
            environment,
            description: deploymentText(`${version} by ${lane}`),
            payload: { promotion, lane, version },
            // Otherwise GitHub would merge the default branch into the ref, and wait for every status of the commit,
            // including ours.
            auto_merge: false,
            required_contexts: [],
          });
          return { data: 'id' in data ? data.id : 0 };
        },
        { absent: [] },
      );
      return made ?? 0;
    },
    async find(fullName, { commit, environment, promotion }) {
      const all = await ask(
        `list the deployments of ${fullName}`,
        fullName,
        async ({ octokit, owner, repo }) => ({
          data: await octokit.paginate(octokit.rest.repos.listDeployments, {
            owner,
            repo,
            sha: commit,
            environment,
            per_page: 100,
          }),
        }),
        { absent: [] },
      );
      return all?.find(({ payload }) => promotionIn(payload) === promotion)?.id;
    },
    async setStatus(fullName, id, { state, description, logUrl, environmentUrl }) {
      await ask(
        `set the state of a deployment of ${fullName}`,
        fullName,
        ({ octokit, owner, repo }) =>
          octokit.rest.repos.createDeploymentStatus({
            owner,
            repo,
            deployment_id: id,
            state,
            description: deploymentText(description),
            ...(logUrl === undefined ? {} : { log_url: logUrl }),
            ...(environmentUrl === undefined ? {} : { environment_url: environmentUrl }),
          }),
        { absent: [] },
      );
    },
    async readStatus(fullName, id) {
      const found = await ask(
        `read the state of a deployment of ${fullName}`,
        fullName,
        ({ octokit, owner, repo }) =>
          octokit.rest.repos.listDeploymentStatuses({ owner, repo, deployment_id: id, per_page: 1 }),
      );
      const newest = found?.[0];
      return newest === undefined ? undefined : { state: newest.state, description: newest.description };
    },
  };
}

/** GitHub returns the payload as it was sent, in older versions as a text. */
function promotionIn(payload: unknown): unknown {
  if (typeof payload === 'string') {
    try {
      return promotionIn(JSON.parse(payload));
    } catch {
      return undefined;
    }
  }
  return typeof payload === 'object' && payload !== null && 'promotion' in payload
    ? payload.promotion
    : undefined;
}
