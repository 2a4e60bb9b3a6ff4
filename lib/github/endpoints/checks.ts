import { z } from 'zod';
import { type CheckContent, checkTime } from './check-content.ts';
import type { GitHubCaller } from '../access/github-caller.ts';

export interface NewCheck extends CheckContent {
  readonly commit: string;
  readonly name: string;
  /** The id by which the check run is found. */
  readonly externalId: string;
  readonly detailsUrl?: string | undefined;
}

/** Check runs. Only a GitHub App may create them; the token of a workflow is an App's. */
export interface Checks {
  create(
    fullName: string,
    check: NewCheck,
  ): Promise<{ readonly id: number; readonly node: string | undefined; readonly url: string | undefined }>;
  update(fullName: string, id: number, content: CheckContent): Promise<{ readonly node: string | undefined }>;
  /** The check run of a name on a commit that has the external id. */
  find(
    fullName: string,
    check: Pick<NewCheck, 'commit' | 'name' | 'externalId'>,
  ): Promise<number | undefined>;
  /** The check runs of a name on a commit that have the external id and are not completed. */
  findOpen(
    fullName: string,
    check: Pick<NewCheck, 'commit' | 'name' | 'externalId'>,
  ): Promise<readonly number[]>;
  /**
   * The newest check run of a name on a commit, one for each App that made some: its conclusion, `null` while it is
   * not completed.
   */
  conclusionsOf(
    fullName: string,
    check: Pick<NewCheck, 'commit' | 'name'>,
  ): Promise<readonly (string | null)[]>;
  read(
    fullName: string,
    id: number,
  ): Promise<{ readonly conclusion: string | null; readonly title: string | null } | undefined>;
}

const createdAnswer = z.object({
  id: z.number(),
  node_id: z.string().optional(),
  html_url: z.string().nullish(),
});
const updatedAnswer = createdAnswer.pick({ id: true, node_id: true });
const listAnswer = z.array(
  z.object({
    id: z.number(),
    external_id: z.string().nullish(),
    status: z.string().nullish(),
    conclusion: z.string().nullish(),
  }),
);
const checkAnswer = z.object({
  conclusion: z.string().nullable(),
  output: z.object({ title: z.string().nullable() }),
});

const permission = 'checks: write';

function contentFields(content: CheckContent) {
  const { status, conclusion, startedAt, completedAt, title, summary, text, annotations, actions } = content;
  return {
    status,
    ...(conclusion === undefined ? {} : { conclusion }),
    ...(startedAt === undefined ? {} : { started_at: checkTime(startedAt) }),
    ...(completedAt === undefined ? {} : { completed_at: checkTime(completedAt) }),
    ...(actions === undefined ? {} : { actions: [...actions] }),
    output: {
      title,
      summary,
      ...(text === undefined ? {} : { text }),
      ...(annotations === undefined ? {} : { annotations: [...annotations] }),
    },
  };
}

export function createChecks(github: GitHubCaller): Checks {
  /** The check runs of a name on a commit; with `latest`, only the newest check run of each App. */
  const list = (
    repository: string,
    { commit, name, filter }: Pick<NewCheck, 'commit' | 'name'> & { readonly filter: 'all' | 'latest' },
  ) =>
    github.call(
      { operation: `list the check runs of ${repository}`, repository, permission },
      listAnswer,
      async ({ octokit, owner, repo }) => ({
        data: await octokit.paginate(octokit.rest.checks.listForRef, {
          owner,
          repo,
          ref: commit,
          check_name: name,
          filter,
          per_page: 100,
        }),
      }),
    );

  return {
    async create(repository, check) {
      const { commit, name, externalId, detailsUrl } = check;
      const operation = `create a check run on ${repository}`;
      const {
        id,
        node_id: node,
        html_url,
      } = await github.call(
        { operation, repository, permission },
        createdAnswer,
        ({ octokit, owner, repo }) =>
          octokit.rest.checks.create({
            owner,
            repo,
            name,
            head_sha: commit,
            external_id: externalId,
            ...(detailsUrl === undefined ? {} : { details_url: detailsUrl }),
            ...contentFields(check),
          }),
      );
      return { id, node, url: html_url ?? undefined };
    },
    async update(repository, id, content) {
      const operation = `update a check run on ${repository}`;
      const { node_id: node } = await github.call(
        { operation, repository, permission },
        updatedAnswer,
        ({ octokit, owner, repo }) =>
          octokit.rest.checks.update({ owner, repo, check_run_id: id, ...contentFields(content) }),
      );
      return { node };
    },
    async find(repository, { commit, name, externalId }) {
      const all = await list(repository, { commit, name, filter: 'all' });
      return all.find(({ external_id }) => external_id === externalId)?.id;
    },
    async findOpen(repository, { commit, name, externalId }) {
      const all = await list(repository, { commit, name, filter: 'all' });
      return all
        .filter(({ external_id, status }) => external_id === externalId && status !== 'completed')
        .map(({ id }) => id);
    },
    async conclusionsOf(repository, { commit, name }) {
      const newest = await list(repository, { commit, name, filter: 'latest' });
      return newest.map(({ status, conclusion }) => (status === 'completed' ? (conclusion ?? null) : null));
    },
    async read(repository, id) {
      const operation = `read a check run of ${repository}`;
      const checkRun = await github.find(
        { operation, repository, permission },
        checkAnswer,
        ({ octokit, owner, repo }) => octokit.rest.checks.get({ owner, repo, check_run_id: id }),
      );
      return checkRun && { conclusion: checkRun.conclusion, title: checkRun.output.title };
    },
  };
}
