import { messageOf } from '../../core/errors/message-of.ts';
import type { ChangedFile } from '../../git/objects/changed-file.ts';
import type { Repository } from '../../git/repository.ts';
import { Failure } from '../../core/errors/failure.ts';
import type { ListedFile } from '../endpoints/commits.ts';
import type { GitHubConnection } from './connect-github.ts';
import { hasNewerHead } from './newer-head.ts';
import type { Target } from './event-target.ts';
import { fetchedCommit, type FetchOptions } from './fetch-commit.ts';

/** The changed files, and how they were found. */
export interface ChangedFiles {
  readonly files: readonly ChangedFile[];
  /** Describes the files for a person: `the files that …`. */
  readonly description: string;
}

/** Above these limits, GitHub omits files silently. */
const maximumOfPullRequest = 3000;
const maximumOfComparison = 300;

/** GitHub's `copied`, `changed` and `unchanged` do not change the old file. */
function changedFile({ filename, status, previous_filename }: ListedFile): ChangedFile {
  if (status === 'removed') return { status: 'deleted', path: filename };
  if (status === 'renamed' && previous_filename !== undefined)
    return { status: 'renamed', path: filename, oldPath: previous_filename };
  return { status: status === 'added' || status === 'copied' ? 'added' : 'modified', path: filename };
}

/** Why GitHub's list cannot be used for the change, as a sentence. */
interface NoList {
  readonly reason: string;
}

async function askGitHub(connection: GitHubConnection, target: Target): Promise<ChangedFiles | NoList> {
  const { pullRequest, base = '', commit } = target;
  if (pullRequest !== undefined) return askForPull(connection, { pullRequest, commit });
  const { files, containsBase } = await connection.commits.filesBetween(connection.repository, base, commit);
  // GitHub compares with the common ancestor, so it does not list what a forced push removed.
  if (isPush(target) && !containsBase)
    return { reason: `The push replaced commits: ${short(base)} is not in the history of ${short(commit)}.` };
  if (files.length === 0) return noFile;
  return files.length >= maximumOfComparison ? tooMany : listed(files, `changed since ${short(base)}`);
}

async function askForPull(
  connection: GitHubConnection,
  { pullRequest, commit }: { readonly pullRequest: number; readonly commit: string },
): Promise<ChangedFiles | NoList> {
  const { pulls, repository } = connection;
  const files = await pulls.files(repository, pullRequest);
  // The list is for the current head.
  if (await hasNewerHead(connection, pullRequest, commit))
    return { reason: `The pull request has a newer commit than ${short(commit)}.` };
  if (files.length === 0) return noFile;
  return files.length >= maximumOfPullRequest
    ? tooMany
    : listed(files, `that pull request ${pullRequest} changes`);
}

/** A change without a file is rare. If GitHub has not made its list yet, an empty list would mean a review of nothing. */
const noFile: NoList = { reason: 'GitHub lists no changed file.' };

const tooMany: NoList = {
  reason: 'There are more changed files than GitHub lists (3,000 for a pull request, 300 for a push).',
};

const listed = (files: readonly ListedFile[], which: string): ChangedFiles => ({
  files: files.map(changedFile),
  description: `the files ${which}`,
});

/** Whether the target is a push to a branch, which is compared with the commit before it, whatever their histories are. */
const isPush = ({ kind, isBaseNamed = false }: Target): boolean => kind === 'branch' && !isBaseNamed;

/** Settings for git to fetch commits that a shallow clone does not have. */
export type ChangedFilesFetch = Omit<FetchOptions, 'commit'>;

/**
 * Compares commits in git with the available history. Throws Failure 'git-failed' if the history is not
 * sufficient.
 */
async function askGit(
  repository: Repository,
  target: Target,
  fetch: ChangedFilesFetch,
): Promise<ChangedFiles> {
  const { kind, base: baseCommit = '', commit, mergeCommits = [] } = target;
  const { signal } = fetch;
  const have = (id: string) => fetchedCommit(repository, { ...fetch, commit: id });
  const base = await have(baseCommit);
  const between = async (from: string, to: string): Promise<ChangedFiles> => ({
    files: await repository.changedFiles(from, to, { signal }),
    description: `the files that differ from ${short(from)} in git`,
  });
  if (isPush(target)) return await between(base, commit);
  try {
    return await between((await repository.mergeBase(base, commit, { signal })) ?? base, commit);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'git-failed' || signal?.aborted === true) throw error;
    // A shallow clone. A merge group is compared with its base commit directly.
    if (kind !== 'pull-request') return await between(base, commit);
    for (const merge of mergeCommits) {
      const merged = await compareMerge(repository, { merge, commit }, { have, between }).catch(
        (fault: unknown) => {
          if (signal?.aborted === true || !(fault instanceof Failure)) throw fault;
        },
      );
      if (merged !== undefined) return merged;
    }
    throw error;
  }
}

/**
 * The changes of GitHub's merge commit relative to its base are the changes of the pull request; two commits are enough,
 * without history. `undefined` if the merge commit is for another head, or if the base moved a file that the head
 * changed.
 */
async function compareMerge(
  repository: Repository,
  { merge, commit }: { readonly merge: string; readonly commit: string },
  {
    have,
    between,
  }: {
    readonly have: (id: string) => Promise<string>;
    readonly between: (from: string, to: string) => Promise<ChangedFiles>;
  },
): Promise<ChangedFiles | undefined> {
  const [onto, head] = await repository.parents(await have(merge));
  if (onto === undefined || head !== commit) return undefined;
  const changed = await between(await have(onto), merge);
  const there = new Set((await repository.listTree(commit)).map(({ path }) => path));
  const allPresent = changed.files.every(({ status, path }) => status === 'deleted' || there.has(path));
  return allPresent ? changed : undefined;
}

function short(commit: string): string {
  return commit.slice(0, 12);
}

/**
 * The changed files, from GitHub's list. They come from git if there is no connection, if GitHub refuses the list, or if
 * the list may be incomplete. `undefined` if they cannot be determined (no base, or too little history): then all files count as
 * changed.
 */
export async function findChangedFiles(
  target: Target,
  {
    connection,
    repository,
    fetch,
    onFallback,
  }: {
    readonly connection: GitHubConnection | undefined;
    readonly repository: Repository;
    readonly fetch: ChangedFilesFetch;
    /** Called with the reason why GitHub's list could not be used. */
    readonly onFallback: (sentence: string) => void;
  },
): Promise<ChangedFiles | undefined> {
  // Everything at a tag is reviewed, also at one that was moved.
  if (target.base === undefined || (target.kind === 'tag' && target.isBaseNamed !== true)) return undefined;
  if (connection !== undefined) {
    try {
      const listing = await askGitHub(connection, target);
      if ('files' in listing) return listing;
      onFallback(`${listing.reason} Git lists the changed files instead.`);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      onFallback(`${error.message} ${error.hint}`);
    }
  }
  try {
    return await askGit(repository, target, fetch);
  } catch (error) {
    if (fetch.signal?.aborted === true) throw error;
    onFallback(`Git cannot list the changed files: ${messageOf(error)}`);
    return undefined;
  }
}
