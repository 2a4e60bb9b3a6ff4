import type { Ask } from './ask.ts';

export type CheckConclusion = 'success' | 'failure' | 'neutral' | 'cancelled';

/** What a check run shows. */
export interface CheckContent {
  readonly status: 'queued' | 'in_progress' | 'completed';
  /** Present only for a completed check run. */
  readonly conclusion: CheckConclusion | undefined;
  readonly title: string;
  /** Markdown. */
  readonly summary: string;
  /** Markdown. */
  readonly text: string;
}

export interface NewCheck extends CheckContent {
  readonly commit: string;
  readonly name: string;
  /** The id to find the check run again. */
  readonly externalId: string;
  readonly detailsUrl: string | undefined;
}

/** Check runs. Only a GitHub App may create them. */
export interface CheckRuns {
  create(fullName: string, check: NewCheck): Promise<number>;
  update(fullName: string, id: number, content: CheckContent): Promise<void>;
  /** The check run on a commit with this name and external id. */
  find(
    fullName: string,
    check: Pick<NewCheck, 'commit' | 'name' | 'externalId'>,
  ): Promise<number | undefined>;
  read(
    fullName: string,
    id: number,
  ): Promise<{ readonly conclusion: string | null; readonly title: string | null } | undefined>;
}

const fieldsOf = ({ status, conclusion, title, summary, text }: CheckContent) => ({
  status,
  ...(conclusion === undefined ? {} : { conclusion }),
  output: { title, summary, text },
});

export function checkRuns(ask: Ask): CheckRuns {
  return {
    async create(fullName, check) {
      const { commit, name, externalId, detailsUrl } = check;
      const made = await ask(
        `create a check run on ${fullName}`,
        fullName,
        ({ octokit, owner, repo }) =>
          octokit.rest.checks.create({
            owner,
            repo,
            name,
            head_sha: commit,
            external_id: externalId,
            ...(detailsUrl === undefined ? {} : { details_url: detailsUrl }),
            ...fieldsOf(check),
          }),
        { absent: [] },
      );
      return made?.id ?? 0;
    },
    async update(fullName, id, content) {
      await ask(
        `update a check run on ${fullName}`,
        fullName,
        ({ octokit, owner, repo }) =>
          octokit.rest.checks.update({ owner, repo, check_run_id: id, ...fieldsOf(content) }),
        { absent: [] },
      );
    },
    async find(fullName, { commit, name, externalId }) {
      const all = await ask(
        `list the check runs of ${fullName}`,
        fullName,
        async ({ octokit, owner, repo }) => ({
          data: await octokit.paginate(octokit.rest.checks.listForRef, {
            owner,
            repo,
            ref: commit,
            check_name: name,
            // Otherwise GitHub lists only the newest check run of each name.
            filter: 'all',
            per_page: 100,
          }),
        }),
        { absent: [] },
      );
      return all?.find(({ external_id }) => external_id === externalId)?.id;
    },
    async read(fullName, id) {
      const found = await ask(`read a check run of ${fullName}`, fullName, ({ octokit, owner, repo }) =>
        octokit.rest.checks.get({ owner, repo, check_run_id: id }),
      );
      return found === undefined ? undefined : { conclusion: found.conclusion, title: found.output.title };
    },
  };
}
