import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { notFound } from '../answers/answer.ts';
import { type BareRepository, openBareRepository } from '../git/bare-repository.ts';

/** The permissions of a token, with GitHub's names. */
export type Permission =
  | 'metadata'
  | 'contents'
  | 'pull_requests'
  | 'issues'
  | 'checks'
  | 'statuses'
  | 'deployments'
  | 'members'
  | 'repository_hooks';
export type Access = 'read' | 'write';

export interface TokenGrant {
  /** The login of the token's owner; `github-actions[bot]` by default. */
  readonly login?: string;
  readonly permissions: Readonly<Partial<Record<Permission, Access>>>;
  /** The App's installation that it belongs to. */
  readonly installation?: number | undefined;
  /** Ids of the repositories that the token gives access to; all by default. */
  readonly only?: readonly number[];
}

export interface PullRequest {
  readonly number: number;
  readonly title: string;
  readonly headRepository: string;
  readonly headRef: string;
  baseRef: string;
  state: 'open' | 'closed';
  /** Whether the conversation is locked: then only people with write access can comment. */
  isLocked?: boolean;
  /** The commit of the merge. */
  mergeCommit?: string;
  /** The time of the merge, in ISO 8601. */
  mergedAt?: string;
  /** The login of its author; `octo` by default. */
  author?: string;
  /** Its reviews, the oldest first. */
  reviews?: readonly PullReview[];
}

/** A review of a pull request by a person. */
export interface PullReview {
  readonly login: string;
  readonly id: number;
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED';
  /** The commit that was the newest one then. */
  readonly commit: string | null;
  readonly submittedAt: string;
}

export interface Comment {
  readonly id: number;
  readonly issue: number;
  readonly login: string;
  body: string;
  /** In ISO 8601; absent for a comment of unknown time, which every list shows. */
  readonly createdAt?: string;
}

export interface CommitStatus {
  readonly id: number;
  readonly sha: string;
  readonly state: 'error' | 'failure' | 'pending' | 'success';
  readonly context: string;
  readonly description: string | null;
  readonly target_url: string | null;
  readonly created_at: string;
}

export interface CheckRun {
  readonly id: number;
  readonly head_sha: string;
  name: string;
  status: string;
  conclusion: string | null;
  external_id: string | null;
  details_url: string | null;
  started_at: string;
  completed_at: string | null;
  actions: readonly { readonly label: string; readonly description: string; readonly identifier: string }[];
  output: { title: string | null; summary: string | null; text: string | null };
  annotations: Record<string, unknown>[];
}

export interface Deployment {
  readonly id: number;
  readonly sha: string;
  readonly ref: string;
  readonly environment: string;
  readonly description: string | null;
  readonly payload: unknown;
  readonly transient_environment: boolean;
  readonly production_environment: boolean;
  readonly statuses: { id: number; state: string; description: string; [key: string]: unknown }[];
}

export interface Collaborator {
  readonly id: number;
  readonly login: string;
  readonly permission: 'admin' | 'write' | 'read' | 'none';
}

/** One repository, with everything that GitHub stores besides git. */
export interface Repository {
  readonly id: number;
  readonly fullName: string;
  readonly git: BareRepository;
  readonly pulls: PullRequest[];
  readonly comments: Comment[];
  readonly statuses: CommitStatus[];
  readonly checkRuns: CheckRun[];
  readonly deployments: Deployment[];
  /** By login in lower case; other people have no permission. */
  readonly collaborators: Map<string, Collaborator>;
  /** The accounts by the e-mail address in commits. */
  readonly accounts: Map<string, Pick<Collaborator, 'id' | 'login'>>;
  /** The state of memberships in teams, by `team/login` in lower case. */
  readonly memberships: Map<string, 'active' | 'pending'>;
}

export interface State {
  readonly repositories: Map<string, Repository>;
  nextId(): number;
  now(): string;
  /** By `owner/name`, upper or lower case; a folder under the git root becomes a repository when first asked for. */
  repository(fullName: string): Repository;
  /** By `owner/name` with a chosen id. */
  add(fullName: string, id?: number): Repository;
}

function spelled(folder: string, name: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder).find((entry) => entry.toLowerCase() === name.toLowerCase());
}

/** Creates the state. `gitRoot`: the folder with the bare repositories, as `<owner>/<name>` or `<owner>/<name>.git`. */
export function createState({
  gitRoot,
  environment,
  now = Date.now,
}: {
  readonly gitRoot: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly now?: () => number;
}): State {
  const repositories = new Map<string, Repository>();
  let last = 1000;
  const nextId = (): number => (last += 1);
  /** The path in the spelling of the disk: GitHub ignores the case of names, but a path has a case. */
  function findPath(fullName: string): string | undefined {
    const [owner = '', name = ''] = fullName.split('/');
    const ownerFolder = spelled(gitRoot, owner);
    if (ownerFolder === undefined) return undefined;
    const folder =
      spelled(join(gitRoot, ownerFolder), name) ?? spelled(join(gitRoot, ownerFolder), `${name}.git`);
    return folder === undefined ? undefined : join(gitRoot, ownerFolder, folder);
  }
  function add(fullName: string, id = nextId()): Repository {
    const path = findPath(fullName);
    if (path === undefined) throw new Error(`no bare repository for ${fullName} under ${gitRoot}`);
    const gitDirectory = existsSync(join(path, '.git')) ? join(path, '.git') : path;
    const repository: Repository = {
      id,
      fullName,
      git: openBareRepository(gitDirectory, environment),
      pulls: [],
      comments: [],
      statuses: [],
      checkRuns: [],
      deployments: [],
      collaborators: new Map(),
      accounts: new Map(),
      memberships: new Map(),
    };
    repositories.set(fullName.toLowerCase(), repository);
    return repository;
  }
  return {
    repositories,
    nextId,
    now: () => new Date(now()).toISOString().replace(/\.\d+Z$/u, 'Z'),
    add,
    repository(fullName) {
      const existing = repositories.get(fullName.toLowerCase());
      if (existing !== undefined) return existing;
      if (findPath(fullName) === undefined) throw notFound();
      return add(fullName);
    },
  };
}
