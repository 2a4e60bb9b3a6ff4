import { connectGitHub, type GitHubConnection } from '../github/connection.ts';
import { statusOf } from '../github/request-status.ts';
import { type CommitStatus, readCommitStatus, setCommitStatus } from '../github/commit-status.ts';
import { Failure } from '../model/failure.ts';
import type { Clock } from '../model/ports.ts';

export interface GitHubRepository {
  readonly id: number;
  /** As it is called now: names change, the id does not. */
  readonly fullName: string;
  readonly defaultBranch: string;
}

/** What the worker asks of GitHub. Addresses are made from the configured base, ids and names; none comes from a payload. */
export interface GitHubPort {
  repository(id: number): Promise<GitHubRepository>;
  /** The commit at a ref (`refs/…`), annotated tags followed; undefined where the ref is gone. */
  head(fullName: string, ref: string): Promise<string | undefined>;
  /** The first parent of a commit. */
  parentOf(fullName: string, commit: string): Promise<string | undefined>;
  /** A file's text at a commit; undefined where the file or the commit is not there. */
  textAt(fullName: string, path: string, commit: string): Promise<string | undefined>;
  /** All branches with the commits at their ends. */
  branches(fullName: string): Promise<readonly { readonly name: string; readonly commit: string }[]>;
  /** How `head` stands to `base`, as GitHub says it: `ahead` means that `head` is newer. `unrelated`: no common past. */
  relation(
    fullName: string,
    base: string,
    head: string,
  ): Promise<'identical' | 'ahead' | 'behind' | 'diverged' | 'unrelated'>;
  setStatus(fullName: string, status: CommitStatus): Promise<void>;
  readStatus(
    fullName: string,
    commit: string,
    context: string,
  ): Promise<Pick<CommitStatus, 'state' | 'description'> | undefined>;
}

export interface GitHubPortOptions {
  readonly apiUrl: string;
  /** Asked for at each call: tokens are renewed. */
  readonly token: () => string | Promise<string>;
  readonly clock: Clock;
  /** Milliseconds that one request may take. */
  readonly timeoutMs?: number;
}

/** Tags of tags of tags … somewhere it must end. */
const deepestTag = 5;

/** GitHub over its REST API. Throws Failure 'github-failed'. */
export function createGitHubPort({
  apiUrl,
  token,
  clock,
  timeoutMs = 15_000,
}: GitHubPortOptions): GitHubPort {
  async function connect(fullName: string): Promise<GitHubConnection> {
    const connection = connectGitHub({ apiUrl, token: await token(), repository: fullName, clock });
    connection.octokit.hook.before('request', (request) => {
      // A redirect would carry the token to wherever it points.
      request.request = { ...request.request, signal: AbortSignal.timeout(timeoutMs), redirect: 'error' };
    });
    return connection;
  }

  /** `undefined` for what is not there. */
  async function ask<T>(
    doing: string,
    fullName: string,
    call: (connection: GitHubConnection) => Promise<{ readonly data: T }>,
    absent: readonly number[] = [404],
  ): Promise<T | undefined> {
    const connection = await connect(fullName);
    try {
      return (await call(connection)).data;
    } catch (error) {
      const status = statusOf(error);
      if (status !== undefined && absent.includes(status)) return undefined;
      throw new Failure('github-failed', {
        message: `GitHub could not ${doing} of ${fullName}${status === undefined ? '' : ` (${status})`}.`,
        details: { status },
        cause: error,
      });
    }
  }

  async function peel(
    fullName: string,
    object: { type: string; sha: string },
    depth = 0,
  ): Promise<string | undefined> {
    if (object.type === 'commit') return object.sha;
    if (object.type !== 'tag' || depth >= deepestTag) return undefined;
    const tag = await ask('read the tag', fullName, ({ octokit, owner, repo }) =>
      octokit.rest.git.getTag({ owner, repo, tag_sha: object.sha }),
    );
    return tag === undefined ? undefined : peel(fullName, tag.object, depth + 1);
  }

  return {
    async repository(id) {
      const data = await ask(`find repository ${id}`, '', ({ octokit }) =>
        octokit.request('GET /repositories/{id}', { id }),
      );
      const read = data as { full_name?: unknown; default_branch?: unknown } | undefined;
      if (typeof read?.full_name !== 'string' || typeof read.default_branch !== 'string') {
        throw new Failure('github-failed', { message: `GitHub shows no repository with the id ${id}.` });
      }
      return { id, fullName: read.full_name, defaultBranch: read.default_branch };
    },
    async head(fullName, ref) {
      const found = await ask('read a ref', fullName, ({ octokit, owner, repo }) =>
        octokit.rest.git.getRef({ owner, repo, ref: ref.replace(/^refs\//, '') }),
      );
      return found === undefined ? undefined : peel(fullName, found.object);
    },
    async parentOf(fullName, commit) {
      const found = await ask('read a commit', fullName, ({ octokit, owner, repo }) =>
        octokit.rest.repos.getCommit({ owner, repo, ref: commit }),
      );
      if (found === undefined)
        throw new Failure('github-failed', { message: `GitHub shows no commit ${commit}.` });
      return found.parents[0]?.sha;
    },
    async textAt(fullName, path, commit) {
      const found = await ask(
        `read ${path}`,
        fullName,
        ({ octokit, owner, repo }) => octokit.rest.repos.getContent({ owner, repo, path, ref: commit }),
        // 422: no such commit.
        [404, 422],
      );
      if (found === undefined || Array.isArray(found) || found.type !== 'file' || !('content' in found))
        return undefined;
      return Buffer.from(found.content, 'base64').toString('utf8');
    },
    async branches(fullName) {
      const { octokit, owner, repo } = await connect(fullName);
      try {
        const all = await octokit.paginate(octokit.rest.repos.listBranches, { owner, repo, per_page: 100 });
        return all.map(({ name, commit }) => ({ name, commit: commit.sha }));
      } catch (error) {
        throw new Failure('github-failed', {
          message: `GitHub could not list the branches of ${fullName}.`,
          details: { status: statusOf(error) },
          cause: error,
        });
      }
    },
    async relation(fullName, base, head) {
      const found = await ask('compare commits', fullName, ({ octokit, owner, repo }) =>
        octokit.rest.repos.compareCommitsWithBasehead({
          owner,
          repo,
          basehead: `${base}...${head}`,
          per_page: 1,
        }),
      );
      return found?.status ?? 'unrelated';
    },
    async setStatus(fullName, status) {
      await setCommitStatus(await connect(fullName), status);
    },
    async readStatus(fullName, commit, context) {
      return readCommitStatus(await connect(fullName), commit, context);
    },
  };
}
