import { z } from 'zod';
import { Failure } from '../../core/errors/failure.ts';
import type { Random } from '../../core/ports/ports.ts';
import { failureDetails } from '../access/failure-details.ts';
import type { GitHubCaller } from '../access/github-caller.ts';
import type { Commits } from './commits.ts';
import type { Refs } from './refs.ts';

/** Files to add to a branch by one commit. */
export interface NewFiles {
  readonly branch: string;
  /** The texts by their paths. */
  readonly files: Readonly<Record<string, string>>;
  readonly message: string;
}

/** Writes files to a branch without a check-out. */
export interface BranchFiles {
  /**
   * Adds files by one commit; creates the branch, without a parent, if it does not exist. If another writer was faster, it
   * starts again from the newest commit, so that no file of either is lost. Throws Failure 'github-failed'.
   */
  addFiles(fullName: string, files: NewFiles): Promise<void>;
}

const idAnswer = z.object({ sha: z.string() });
const refAnswer = z.object({ ref: z.string() });

/** Several jobs of a workflow may write at the same moment; each attempt lets at least one of them through. */
const maxAttempts = 10;
const maxPauseMs = 2_000;

const permission = 'contents: write';

interface BranchFilesPorts {
  readonly refs: Pick<Refs, 'head'>;
  readonly commits: Pick<Commits, 'treeOf'>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: Random;
}

export function createBranchFiles(
  github: GitHubCaller,
  { refs, commits, sleep, random }: BranchFilesPorts,
): BranchFiles {
  /** Whether the branch has the files now; false if another writer moved it. */
  async function attempt(repository: string, { branch, files, message }: NewFiles): Promise<boolean> {
    const ref = `refs/heads/${branch}`;
    const call = {
      operation: `write to the branch ${branch} of ${repository}`,
      repository,
      permission,
    } as const;
    const head = await refs.head(repository, ref);
    const base = head === undefined ? undefined : await commits.treeOf(repository, head);
    const entries = Object.entries(files).map(([path, content]) => ({
      path,
      content,
      mode: '100644' as const,
      type: 'blob' as const,
    }));
    const tree = await github.call(call, idAnswer, ({ octokit, owner, repo }) =>
      octokit.rest.git.createTree({
        owner,
        repo,
        tree: entries,
        ...(base === undefined ? {} : { base_tree: base }),
      }),
    );
    // An attempt whose answer was lost took effect.
    if (tree.sha === base) return true;
    const commit = await github.call(call, idAnswer, ({ octokit, owner, repo }) =>
      octokit.rest.git.createCommit({
        owner,
        repo,
        message,
        tree: tree.sha,
        parents: head === undefined ? [] : [head],
      }),
    );
    // 422: the branch was created, or does not continue at its old commit any more.
    const moved = await github.find({ ...call, absent: [422] }, refAnswer, ({ octokit, owner, repo }) =>
      head === undefined
        ? octokit.rest.git.createRef({ owner, repo, ref, sha: commit.sha })
        : octokit.rest.git.updateRef({ owner, repo, ref: `heads/${branch}`, sha: commit.sha, force: false }),
    );
    return moved !== undefined;
  }

  return {
    async addFiles(repository, files) {
      for (let number = 1; ; number += 1) {
        try {
          if (await attempt(repository, files)) return;
          if (number === maxAttempts) break;
        } catch (error) {
          // Writing the same files again changes nothing, so that what may have taken effect is tried again.
          const isUnknown = error instanceof Failure && !failureDetails(error).refused;
          if (!isUnknown || number === maxAttempts) throw error;
        }
        await sleep(Math.min(maxPauseMs, 100 * 2 ** number) * (0.5 + random() / 2));
      }
      throw new Failure('github-failed', {
        message: `The branch ${files.branch} of ${repository} could not be written: ${maxAttempts} times in a row, another writer was faster.`,
        hint: 'Run the job again.',
      });
    },
  };
}
