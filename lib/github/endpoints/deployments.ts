import { z } from 'zod';
import { oneLine } from '../../core/text/sanitize-text.ts';
import { shorten } from '../../core/text/shorten.ts';
import type { GitHubCaller } from '../access/github-caller.ts';

export type DeploymentState = 'queued' | 'in_progress' | 'success' | 'failure' | 'error' | 'inactive';

export interface NewDeployment {
  readonly commit: string;
  readonly environment: string;
  readonly description: string;
  /** For tools that read deployments; the worker finds its deployment by `promotion`. */
  readonly payload: Readonly<Record<string, string>>;
  /**
   * Whether people use the environment directly. If so, GitHub closes no earlier deployment by itself. GitHub's default:
   * true only for an environment named `production`.
   */
  readonly isProduction?: boolean;
}

export interface DeploymentStatus {
  readonly state: DeploymentState;
  readonly description: string;
  readonly logUrl?: string | undefined;
  readonly environmentUrl?: string | undefined;
  /**
   * Whether, with `success`, GitHub closes the earlier active deployments of the environment, unless it is a production
   * environment. Default: true.
   */
  readonly closesPrior?: boolean;
}

/** Deployments and their statuses. */
export interface Deployments {
  /** Creates a deployment. `node` is its global id, if GitHub answers with one. */
  create(
    fullName: string,
    deployment: NewDeployment,
  ): Promise<{ readonly id: number; readonly node: string | undefined }>;
  /** The deployment of a promotion, found by commit and environment. */
  find(
    fullName: string,
    deployment: Pick<NewDeployment, 'commit' | 'environment'> & { readonly promotion: string },
  ): Promise<number | undefined>;
  /** The newest deployments of an environment that have a promotion: at most 100, newest first. */
  ofEnvironment(
    fullName: string,
    environment: string,
  ): Promise<readonly { readonly id: number; readonly promotion: string }[]>;
  /** The deployments of a version in an environment, newest first. Searches the newest 100 deployments of the environment. */
  ofVersion(fullName: string, environment: string, version: string): Promise<readonly number[]>;
  setStatus(fullName: string, id: number, status: DeploymentStatus): Promise<void>;
  /** The newest status. */
  readStatus(
    fullName: string,
    id: number,
  ): Promise<{ readonly state: string; readonly description: string } | undefined>;
}

/** Makes the description of a deployment acceptable to GitHub. */
export const deploymentText = (text: string): string => shorten(oneLine(text), 140);

const idAnswer = z.object({ id: z.number() });
const createdAnswer = idAnswer.extend({ node_id: z.string().optional() });
const listAnswer = z.array(z.object({ id: z.number(), payload: z.unknown() }));
const statusesAnswer = z.array(z.object({ state: z.string(), description: z.string() }));

const permission = 'deployments: write';

export function createDeployments(github: GitHubCaller): Deployments {
  /** Newest first. */
  async function list(
    repository: string,
    query: { readonly sha?: string; readonly environment: string },
    pages: 'all' | 'first page' = 'all',
  ): Promise<z.infer<typeof listAnswer>> {
    const operation = `list the deployments of ${repository}`;
    return github.call(
      { operation, repository, permission },
      listAnswer,
      async ({ octokit, owner, repo }) => ({
        data: await octokit.paginate(
          octokit.rest.repos.listDeployments,
          { owner, repo, ...query, per_page: 100 },
          ({ data }, done) => {
            if (pages === 'first page') done();
            return data;
          },
        ),
      }),
    );
  }

  return {
    async create(repository, { commit, environment, description, payload, isProduction }) {
      const operation = `create a deployment of ${repository}`;
      const { id, node_id: node } = await github.call(
        { operation, repository, permission },
        createdAnswer,
        ({ octokit, owner, repo }) =>
          octokit.rest.repos.createDeployment({
            owner,
            repo,
            ref: commit,
            environment,
            description: deploymentText(description),
            payload: { ...payload },
            transient_environment: false,
            ...(isProduction === undefined ? {} : { production_environment: isProduction }),
            // GitHub would merge the default branch into the ref, and wait for every status of the commit: ours too.
            auto_merge: false,
            required_contexts: [],
          }),
      );
      return { id, node };
    },
    async find(repository, { commit, environment, promotion }) {
      const all = await list(repository, { sha: commit, environment });
      return all.find(({ payload }) => promotionIn(payload) === promotion)?.id;
    },
    async ofEnvironment(repository, environment) {
      const newest = await list(repository, { environment }, 'first page');
      return newest.flatMap(({ id, payload }) => {
        const promotion = promotionIn(payload);
        return typeof promotion === 'string' ? [{ id, promotion }] : [];
      });
    },
    async ofVersion(repository, environment, version) {
      const newest = await list(repository, { environment }, 'first page');
      return newest.flatMap(({ id, payload }) => (fieldIn(payload, 'version') === version ? [id] : []));
    },
    async setStatus(repository, id, { state, description, logUrl, environmentUrl, closesPrior }) {
      const operation = `set the status of a deployment of ${repository}`;
      await github.call({ operation, repository, permission }, idAnswer, ({ octokit, owner, repo }) =>
        octokit.rest.repos.createDeploymentStatus({
          owner,
          repo,
          deployment_id: id,
          state,
          description: deploymentText(description),
          ...(closesPrior === undefined ? {} : { auto_inactive: closesPrior }),
          ...(logUrl === undefined ? {} : { log_url: logUrl }),
          ...(environmentUrl === undefined ? {} : { environment_url: environmentUrl }),
        }),
      );
    },
    async readStatus(repository, id) {
      const operation = `read the status of a deployment of ${repository}`;
      const statuses = await github.find(
        { operation, repository, permission },
        statusesAnswer,
        ({ octokit, owner, repo }) =>
          octokit.rest.repos.listDeploymentStatuses({ owner, repo, deployment_id: id, per_page: 1 }),
      );
      return statuses?.[0];
    },
  };
}

const promotionIn = (payload: unknown): unknown => fieldIn(payload, 'promotion');

/** GitHub returns the payload as it was sent; older versions of its server return it as text. */
function fieldIn(payload: unknown, field: string): unknown {
  if (typeof payload === 'string') {
    try {
      return fieldIn(JSON.parse(payload), field);
    } catch {
      return undefined;
    }
  }
  if (typeof payload !== 'object' || payload === null) return undefined;
  return (payload as Record<string, unknown>)[field];
}
