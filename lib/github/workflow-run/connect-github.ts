import type { Clock, Random } from '../../core/ports/ports.ts';
import { systemClock } from '../../core/ports/system-clock.ts';
import { type BranchFiles, createBranchFiles } from '../endpoints/branch-files.ts';
import { type Checks, createChecks } from '../endpoints/checks.ts';
import { type Comments, createComments } from '../endpoints/comments.ts';
import { type Commits, createCommits } from '../endpoints/commits.ts';
import { createDeployments, type Deployments } from '../endpoints/deployments.ts';
import { tokenAccess } from '../access/github-access.ts';
import { createGitHubCaller, type GitHubCaller, type GitHubCallerOptions } from '../access/github-caller.ts';
import { createPulls, type Pulls } from '../endpoints/pulls.ts';
import { createRefs, type Refs } from '../endpoints/refs.ts';

/** The part of GitHub's API that the actions use, for one repository, with one token. */
export interface GitHubConnection {
  /** `owner/name` */
  readonly repository: string;
  readonly github: GitHubCaller;
  readonly branchFiles: BranchFiles;
  readonly checks: Checks;
  /** Like `checks`, for check runs that must be completed at the end of a run, even if the run was cancelled. */
  readonly lastChecks: Checks;
  readonly comments: Comments;
  readonly commits: Commits;
  readonly deployments: Deployments;
  readonly pulls: Pulls;
  readonly refs: Refs;
}

export interface ConnectionOptions extends Partial<
  Pick<GitHubCallerOptions, 'attempts' | 'timeoutMs' | 'patienceMs' | 'signal' | 'proxy'>
> {
  /** Base of the API, `GITHUB_API_URL`. */
  readonly apiUrl: string;
  readonly token: string;
  /** `owner/name` */
  readonly repository: string;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** The runner interrupts a cancelled step, and terminates it 7.5 s later. In milliseconds. */
const lastTimeoutMs = 5_000;

/** Connects an action to GitHub: a read is sent up to three times, each for up to 30 seconds. */
export function connectGitHub({
  token,
  repository,
  clock = systemClock,
  random = Math.random,
  attempts = 3,
  timeoutMs = 30_000,
  ...options
}: ConnectionOptions): GitHubConnection {
  const access = tokenAccess(() => token);
  const github = createGitHubCaller({ ...options, access, clock, attempts, timeoutMs });
  const last = createGitHubCaller({ apiUrl: options.apiUrl, access, clock, timeoutMs: lastTimeoutMs });
  const commits = createCommits(github);
  const refs = createRefs(github);
  const sleep = (ms: number): Promise<void> => clock.sleep(ms, options.signal);
  return {
    repository,
    github,
    branchFiles: createBranchFiles(github, { refs, commits, sleep, random }),
    checks: createChecks(github),
    lastChecks: createChecks(last),
    comments: createComments(github),
    commits,
    deployments: createDeployments(github),
    pulls: createPulls(github),
    refs,
  };
}
