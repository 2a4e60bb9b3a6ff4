import type { CommitStatus } from './commit-status.ts';
import type { CheckRuns } from './check-runs.ts';
import type { Deployments } from './deployments.ts';
import type { Hooks } from './hooks.ts';
import type { People } from './people.ts';

export interface GitHubRepository {
  readonly id: number;
  /** As it is called now: names change, the id does not. */
  readonly fullName: string;
  readonly defaultBranch: string;
}

/** A branch or tag and the commit that it stands at. */
export interface Tip {
  readonly name: string;
  readonly commit: string;
}

/** What the worker reads from a repository. */
export interface RepositoryReads {
  repository(id: number): Promise<GitHubRepository>;
  /** The commit at a ref (`refs/…`), annotated tags followed; undefined where the ref is gone. */
  head(fullName: string, ref: string): Promise<string | undefined>;
  /** The first parent of a commit. */
  parentOf(fullName: string, commit: string): Promise<string | undefined>;
  /** A file's text at a commit; undefined where the file or the commit is not there. */
  textAt(fullName: string, path: string, commit: string): Promise<string | undefined>;
  /** All branches with the commits at their ends. */
  branches(fullName: string): Promise<readonly Tip[]>;
  /** All tags; the id is that of the tag object where the tag is annotated. */
  tags(fullName: string): Promise<readonly Tip[]>;
  /** How `head` stands to `base`, as GitHub says it: `ahead` means that `head` is newer. `unrelated`: no common past. */
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
 * What the worker asks of GitHub. Addresses are made from the configured base, ids and names; none comes from a
 * payload. Everything throws Failure 'github-failed' whose details are a Problem (github-problem.ts).
 */
export interface GitHubPort extends RepositoryReads, Statuses {
  /** `app`: check runs can be made, and deliveries asked for again. */
  readonly kind: 'token' | 'app';
  /** Whose allowance of writes the calls about a repository use up. */
  accountOf(fullName: string): Promise<string>;
  readonly checks: CheckRuns;
  readonly deployments: Deployments;
  readonly hooks: Hooks;
  readonly people: People;
}
