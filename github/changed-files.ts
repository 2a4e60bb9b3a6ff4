import { z } from 'zod';
import type { Repository } from '../git/repository.ts';
import type { GitHubConnection } from './connection.ts';
import type { Target } from './event-target.ts';
import { githubFailure } from './github-failure.ts';
import { readAnswer } from './read-answer.ts';

/** Files that a change touched, as they are now (new names, deleted ones left out), and how that was found. */
export interface ChangedFiles {
  readonly paths: readonly string[];
  /** Names that are gone: deleted, or the old ones of renamed files. */
  readonly gone: readonly string[];
  /** One sentence for a person. */
  readonly way: string;
}

/** Above these, GitHub leaves files out without a word. */
const maximumOfPullRequest = 3000;
const maximumOfComparison = 300;

const listedFiles = z.array(
  z.object({ filename: z.string(), status: z.string(), previous_filename: z.string().optional() }),
);
const comparison = z.object({ files: listedFiles.default([]) });

function sort(files: z.infer<typeof listedFiles>, way: string): ChangedFiles {
  return {
    paths: files.filter(({ status }) => status !== 'removed').map(({ filename }) => filename),
    gone: files.flatMap(({ status, filename, previous_filename }) =>
      status === 'removed' ? [filename] : status === 'renamed' ? [previous_filename ?? ''] : [],
    ),
    way,
  };
}

/** `undefined` where GitHub's list may be cut off. */
async function askGitHub(
  { octokit, owner, repo }: GitHubConnection,
  { pullRequest, base, commit }: Target,
): Promise<ChangedFiles | undefined> {
  const place = { owner, repo };
  if (pullRequest !== undefined) {
    const query = { ...place, pull_number: pullRequest, per_page: 100 };
    const files = readAnswer(listedFiles, await octokit.paginate(octokit.rest.pulls.listFiles, query));
    if (files.length >= maximumOfPullRequest) return undefined;
    return sort(files, `the files that pull request ${String(pullRequest)} changes`);
  }
  const query = { ...place, basehead: `${base ?? ''}...${commit}`, per_page: 1 };
  const { data } = await octokit.rest.repos.compareCommitsWithBasehead(query);
  const { files } = readAnswer(comparison, data);
  if (files.length >= maximumOfComparison) return undefined;
  return sort(files, `the files changed since ${(base ?? '').slice(0, 12)}`);
}

async function askGit(repository: Repository, base: string, commit: string): Promise<ChangedFiles> {
  const from = (await repository.mergeBase(base, commit)) ?? base;
  const changes = await repository.changedFiles(from, commit);
  return {
    paths: changes.filter(({ status }) => status !== 'deleted').map(({ path }) => path),
    gone: changes.flatMap(({ status, path, oldPath }) =>
      status === 'deleted' ? [path] : oldPath === undefined ? [] : [oldPath],
    ),
    way: `the files that differ from ${from.slice(0, 12)} in git`,
  };
}

/**
 * What a change touched: from GitHub's list, and from git where there is no connection, the list is refused or it may
 * be cut off. `undefined` where it cannot be told (no base, or too little history): then everything counts.
 */
export async function findChangedFiles(
  target: Target,
  {
    connection,
    repository,
    onTrouble,
  }: {
    readonly connection: GitHubConnection | undefined;
    readonly repository: Repository;
    /** Told why GitHub's list could not be used. */
    readonly onTrouble: (sentence: string) => void;
  },
): Promise<ChangedFiles | undefined> {
  if (target.base === undefined) return undefined;
  if (connection !== undefined) {
    try {
      const found = await askGitHub(connection, target);
      if (found !== undefined) return found;
      onTrouble(
        'GitHub lists no more than 3,000 files of a pull request and 300 of a comparison; git is asked instead.',
      );
    } catch (error) {
      const permission = target.pullRequest === undefined ? 'contents: read' : 'pull-requests: read';
      const failure = githubFailure('list the changed files', permission, error);
      onTrouble(`${failure.message} ${failure.mend}`);
    }
  }
  try {
    return await askGit(repository, target.base, target.commit);
  } catch (error) {
    onTrouble(`Git cannot tell what changed: ${error instanceof Error ? error.message : 'unknown fault'}`);
    return undefined;
  }
}
