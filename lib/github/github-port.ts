import type { CommitStatus } from './commit-status.ts';
import type { CheckRuns } from './check-runs.ts';
import type { Deployments } from './deployments.ts';
import type { Hooks } from './hooks.ts';
import type { People } from './people.ts';

export interface GitHubRepository {
  readonly id: number;
  /** The current name: names change, the id does not. */
  readonly fullName: string;
  readonly defaultBranch: string;
}

/** A branch or tag and its commit. */
export interface Tip {
  readonly name: string;
  readonly commit: string;
}

/** What the worker reads from a repository. */
export interface RepositoryReads {
  repository(id: number): Promise<GitHubRepository>;
  /** The commit at a ref (`refs/…`), with annotated tags peeled; undefined where the ref does not exist. */
  head(fullName: string, ref: string): Promise<string | undefined>;
  /** The first parent of a commit. */
  parentOf(fullName: string, commit: string): Promise<string | undefined>;
  /** A file's text at a commit; undefined where the file or the commit does not exist. */
  textAt(fullName: string, path: string, commit: string): Promise<string | undefined>;
  /** All branches with their commits. */
  branches(fullName: string): Promise<readonly Tip[]>;
  /** All tags; the id is that of the tag object where the tag is annotated. */
  tags(fullName: string): Promise<readonly Tip[]>;
  /**
   * The relation of `head` to `base`, in GitHub's terms: `ahead` means that `head` is newer. `unrelated`: no common
   * ancestor.
   */
  relation(
    fullName: string,
    base: string,
    head: string,
  ): Promise<'identical' | 'ahead' | 'behind' | 'diverged' | 'unrelated'>;
}

/** What the worker sets on commits. */
export interface Statuses {
  setStatus(fullName: string, status: CommitStatus): Promise<void>;
  readStatus(
    fullName: string,
    commit: string,
    context: string,
  ): Promise<Pick<CommitStatus, 'state' | 'description'> | undefined>;
}

/**
 * The worker's interface to GitHub. Addresses consist of the configured base, ids and names; none comes from a
 * payload. All methods throw Failure 'github-failed' whose details are a Problem (github-problem.ts).
 */
export interface GitHubPort extends RepositoryReads, Statuses {
  /** `app`: can create check runs and request redeliveries. */
  readonly kind: 'token' | 'app';
  /** The account whose write limit the calls about a repository use. */
  accountOf(fullName: string): Promise<string>;
  readonly checks: CheckRuns;
  readonly deployments: Deployments;
  readonly hooks: Hooks;
  readonly people: People;
}
