import type { AccessState } from './access/access-health.ts';
import type { Allowances } from './access/allowances.ts';
import type { Checks } from './endpoints/checks.ts';
import type { Comments } from './endpoints/comments.ts';
import type { Commits } from './endpoints/commits.ts';
import type { Deployments } from './endpoints/deployments.ts';
import type { InstallationFacts, RepositoryKey } from './access/github-access.ts';
import type { Hooks } from './endpoints/hooks.ts';
import type { RepositoryStates } from './endpoints/repository-states.ts';
import type { People } from './endpoints/people.ts';
import type { Pulls } from './endpoints/pulls.ts';
import type { Refs } from './endpoints/refs.ts';
import type { Repositories } from './endpoints/repositories.ts';
import type { Statuses } from './endpoints/statuses.ts';
import type { Trees } from './endpoints/trees.ts';
import type { WriteBatches } from './batches/write-batches.ts';

/**
 * The part of GitHub's API that the worker uses. Addresses are made from the configured base, ids and names, never taken from a
 * payload. Everything throws Failure 'github-failed' with GitHubFailureDetails (github-failure.ts).
 */
export interface GitHubPort
  extends
    Repositories,
    RepositoryStates,
    Refs,
    Statuses,
    WriteBatches,
    Pick<
      Commits,
      | 'parentOf'
      | 'committedAt'
      | 'treeOf'
      | 'textAt'
      | 'filesIn'
      | 'relation'
      | 'authorsBetween'
      | 'commitsBetween'
    > {
  /** Base of GitHub's pages for people. */
  readonly webUrl: string;
  /** `app`: check runs can be created, and deliveries requested again. */
  readonly kind: 'token' | 'app';
  /** The state of the access to a repository, by the last calls; undefined before the first call. */
  accessState(repositoryId: number): AccessState | undefined;
  /** The App's installation on a repository, read again; undefined if there is no App. */
  installation(repositoryId: number): Promise<InstallationFacts | undefined>;
  /** The account whose rate limit the calls about a repository use. */
  accountOf(repository: RepositoryKey): Promise<string>;
  /** The remaining allowances, as GitHub's last answers stated them. */
  readonly allowances: Pick<Allowances, 'all' | 'hasHalf'>;
  readonly checks: Checks;
  readonly comments: Pick<Comments, 'textOf' | 'findAll' | 'isOwn' | 'create' | 'remove'>;
  readonly deployments: Deployments;
  readonly hooks: Hooks;
  readonly people: People;
  readonly pulls: Pick<Pulls, 'commits' | 'mergedAs' | 'reviews'>;
  readonly trees: Trees;
}
