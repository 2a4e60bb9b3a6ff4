import { z } from 'zod';
import { requireText } from '../../core/files/decode-text.ts';
import { Failure } from '../../core/errors/failure.ts';
import type { GitHubCaller } from '../access/github-caller.ts';
import { absentHint } from '../access/github-failure.ts';
import { websiteLogin } from './people.ts';
import { encodePath, repositoryPath } from '../access/rest-request.ts';

export const listedFiles = z.array(
  z.object({ filename: z.string(), status: z.string(), previous_filename: z.string().optional() }),
);

/** A changed file as GitHub lists it. */
export type ListedFile = z.infer<typeof listedFiles>[number];

/** A file in a folder. */
export interface FolderFile {
  readonly name: string;
  /** The id of its blob. */
  readonly oid: string;
  /** Its size. */
  readonly bytes: number;
}

/** The authors of some commits. */
export interface CommitAuthors {
  /** The accounts of their authors and committers. */
  readonly people: readonly { readonly login: string; readonly id: number }[];
  /** False if there are more commits than were read, or if GitHub knows no account of one of the people. */
  readonly isComplete: boolean;
}

/** A commit of a comparison. */
export interface ListedCommit {
  readonly commit: string;
  /** The first line of its message. */
  readonly subject: string;
  /** The login of its author; otherwise the name in the commit. */
  readonly author: string;
}

/** What one commit has and another lacks. */
export interface CommitsBetween {
  /** How many commits `head` has that `base` lacks. */
  readonly added: number;
  /** How many commits `base` has that `head` lacks. */
  readonly removed: number;
  /** The newest of the added ones, the newest first. */
  readonly newest: readonly ListedCommit[];
}

/** Commits, and the files in them. */
export interface Commits {
  /** The first parent of a commit. */
  parentOf(fullName: string, commit: string): Promise<string | undefined>;
  /** The tree of a commit; undefined if GitHub does not have the commit. */
  treeOf(fullName: string, commit: string): Promise<string | undefined>;
  /** When a commit was made, in milliseconds since the epoch; undefined if GitHub does not have it. */
  committedAt(fullName: string, commit: string): Promise<number | undefined>;
  /** A file's text at a commit; undefined if the file or the commit does not exist. Throws Failure 'config-invalid' for bytes that are not text. */
  textAt(fullName: string, path: string, commit: string): Promise<string | undefined>;
  /**
   * The files directly in a folder at a commit or ref, with the ids of their blobs; undefined if the folder or the ref does not
   * exist. GitHub lists no more than 1,000 and does not say that it left some out.
   */
  filesIn(fullName: string, folder: string, ref: string): Promise<readonly FolderFile[] | undefined>;
  /**
   * The files that `head` changes since its common ancestor with `base`, and whether that is `base` itself. GitHub lists
   * no more than 300 files and does not say that it left some out.
   */
  filesBetween(
    fullName: string,
    base: string,
    head: string,
  ): Promise<{ readonly files: readonly ListedFile[]; readonly containsBase: boolean }>;
  /** The best common ancestor. Undefined if GitHub cannot compare the commits: one does not exist, or they have no common ancestor. */
  mergeBase(fullName: string, base: string, head: string): Promise<string | undefined>;
  /**
   * Who wrote the commits of `head` that `base` does not contain. Undefined if GitHub cannot compare them: one does not
   * exist, or they have no common ancestor. Reads at most a thousand commits, a hundred with each request.
   */
  authorsBetween(fullName: string, base: string, head: string): Promise<CommitAuthors | undefined>;
  /**
   * The newest commits of `head` that `base` does not contain, by at most three requests. Undefined if GitHub cannot compare them: one does
   * not exist, or they have no common ancestor. `newest`: how many, at most 100.
   */
  commitsBetween(
    fullName: string,
    base: string,
    head: string,
    newest: number,
  ): Promise<CommitsBetween | undefined>;
  /** How `head` relates to `base`: `ahead` means that `head` is newer, `unrelated` that they cannot be compared. */
  relation(
    fullName: string,
    base: string,
    head: string,
  ): Promise<'identical' | 'ahead' | 'behind' | 'diverged' | 'unrelated'>;
}

const commitAnswer = z.object({
  parents: z.array(z.object({ sha: z.string() })),
  committer: z.object({ date: z.string().optional() }).nullish(),
  tree: z.object({ sha: z.string() }),
});
/** A folder is a list; a symbolic link or a submodule has another type. */
const contentAnswer = z.union([
  z.object({ type: z.literal('file'), content: z.string() }),
  z.array(z.object({ type: z.string(), name: z.string(), sha: z.string(), size: z.number() })),
  z.object({ type: z.string() }),
]);
const comparisonAnswer = z.object({
  status: z.enum(['identical', 'ahead', 'behind', 'diverged']),
  files: listedFiles.default([]),
  merge_base_commit: z.object({ sha: z.string() }).optional(),
});

/** An account that GitHub does not know is null or an empty object. */
const accountAnswer = z
  .union([z.object({ login: z.string(), id: z.number() }), z.object({}).transform(() => undefined)])
  .nullish();
const authorsAnswer = z.object({
  total_commits: z.number(),
  commits: z.array(z.object({ author: accountAnswer, committer: accountAnswer })),
});

const betweenAnswer = z.object({
  total_commits: z.int(),
  behind_by: z.int(),
  commits: z.array(
    z.object({
      sha: z.string(),
      commit: z.object({ message: z.string(), author: z.object({ name: z.string().nullish() }).nullish() }),
      author: accountAnswer,
    }),
  ),
});

/** GitHub's limit for a page of a comparison, and our limit for the number of pages. */
const commitsPerPage = 100;
const maxPages = 10;

const permission = 'contents: read';

function listedCommit({
  sha,
  commit: { message, author: written },
  author,
}: z.output<typeof betweenAnswer>['commits'][number]): ListedCommit {
  const [subject = ''] = message.split('\n');
  return { commit: sha, subject, author: author?.login ?? written?.name ?? '' };
}

export function createCommits(github: GitHubCaller): Commits {
  /** Undefined if a commit does not exist, or if they have no common ancestor. All files are on the first page. */
  const comparePage = <T>(
    { repository, base, head }: { repository: string; base: string; head: string },
    answer: z.ZodType<T>,
    page: string,
  ) =>
    github.find(
      { operation: `compare commits of ${repository}`, repository, permission },
      answer,
      ({ rest }) =>
        rest({
          method: 'GET',
          path: `${repositoryPath(repository)}/compare/${encodeURIComponent(`${base}...${head}`)}?${page}`,
        }),
    );
  const compare = (repository: string, base: string, head: string) =>
    comparePage({ repository, base, head }, comparisonAnswer, 'per_page=1');

  // Not `/commits/`, because its answer has the changes of up to 300 files, and GitHub fails if that takes too long.
  const readCommit = (repository: string, commit: string) =>
    github.find(
      // 422: the commit does not exist.
      { operation: `read a commit of ${repository}`, repository, permission, absent: [404, 422] },
      commitAnswer,
      ({ rest }) =>
        rest({
          method: 'GET',
          path: `${repositoryPath(repository)}/git/commits/${encodeURIComponent(commit)}`,
        }),
    );

  const readContent = (repository: string, path: string, ref: string) =>
    github.find(
      // 422: the commit does not exist.
      { operation: `read ${path} of ${repository}`, repository, permission, absent: [404, 422] },
      contentAnswer,
      ({ rest }) =>
        rest({
          method: 'GET',
          path: `${repositoryPath(repository)}/contents/${encodePath(path)}?ref=${encodeURIComponent(ref)}`,
        }),
    );

  return {
    async filesBetween(repository, base, head) {
      const comparison = await compare(repository, base, head);
      if (comparison !== undefined) {
        const { files, status } = comparison;
        return { files, containsBase: status === 'ahead' || status === 'identical' };
      }
      throw new Failure('github-failed', {
        message: `GitHub could not compare the commits ${base} and ${head} of ${repository}: one of them does not exist there, or the token has no access to it.`,
        hint: absentHint(permission),
      });
    },
    mergeBase: async (repository, base, head) =>
      (await compare(repository, base, head))?.merge_base_commit?.sha,
    async authorsBetween(repository, base, head) {
      const people = new Map<string, { login: string; id: number }>();
      let isComplete = true;
      let read = 0;
      for (let page = 1; page <= maxPages; page += 1) {
        const query = `per_page=${commitsPerPage}&page=${page}`;
        const comparison = await comparePage({ repository, base, head }, authorsAnswer, query);
        if (comparison === undefined) return undefined;
        for (const account of comparison.commits.flatMap(({ author, committer }) => [author, committer])) {
          if (account === undefined || account === null) isComplete = false;
          else if (account.login !== websiteLogin) people.set(account.login, account);
        }
        read += comparison.commits.length;
        if (read >= comparison.total_commits) return { people: [...people.values()], isComplete };
        // The page is not full although there are more commits: GitHub does not list the rest.
        if (comparison.commits.length < commitsPerPage) break;
      }
      return { people: [...people.values()], isComplete: false };
    },
    async commitsBetween(repository, base, head, newest) {
      const pageOf = async (page: number) =>
        comparePage({ repository, base, head }, betweenAnswer, `per_page=${newest}&page=${page}`);
      const first = await pageOf(1);
      if (first === undefined) return undefined;
      const { total_commits: added, behind_by: removed } = first;
      // GitHub lists the oldest first.
      const last = Math.max(1, Math.ceil(added / newest));
      const pages = [first.commits];
      for (let page = Math.max(2, last - 1); page <= last; page += 1)
        pages.push((await pageOf(page))?.commits ?? []);
      const commits = pages.flat().slice(-Math.min(newest, added)).toReversed();
      return { added, removed, newest: added === 0 ? [] : commits.map(listedCommit) };
    },
    relation: async (repository, base, head) =>
      (await compare(repository, base, head))?.status ?? 'unrelated',
    async committedAt(repository, commit) {
      const date = (await readCommit(repository, commit))?.committer?.date;
      return date === undefined ? undefined : Date.parse(date);
    },
    async parentOf(repository, commit) {
      const details = await readCommit(repository, commit);
      if (details === undefined) {
        throw new Failure('github-failed', {
          message: `GitHub has no commit ${commit} in ${repository}, or the token has no access to it.`,
          hint: 'Push the commit, or give the token or App the permission "contents: read" for that repository.',
        });
      }
      return details.parents[0]?.sha;
    },
    treeOf: async (repository, commit) => (await readCommit(repository, commit))?.tree.sha,
    async textAt(repository, path, commit) {
      const content = await readContent(repository, path, commit);
      if (content === undefined || !('content' in content)) return undefined;
      return requireText(Buffer.from(content.content, 'base64'), path);
    },
    async filesIn(repository, folder, ref) {
      const content = await readContent(repository, folder, ref);
      if (!Array.isArray(content)) return undefined;
      return content
        .filter(({ type }) => type === 'file')
        .map(({ name, sha, size }) => ({ name, oid: sha, bytes: size }));
    },
  };
}
