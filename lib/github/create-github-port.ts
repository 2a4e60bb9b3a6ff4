import { createAccessHealth } from './access/access-health.ts';
import { createAllowances } from './access/allowances.ts';
import { createChecks } from './endpoints/checks.ts';
import { createComments } from './endpoints/comments.ts';
import { createCommits } from './endpoints/commits.ts';
import { createDeployments } from './endpoints/deployments.ts';
import { createGitHubCaller, type GitHubCallerOptions } from './access/github-caller.ts';
import type { GitHubPort } from './github-port.ts';
import { createHooks } from './endpoints/hooks.ts';
import { createRepositoryStates } from './endpoints/repository-states.ts';
import { createPeople } from './endpoints/people.ts';
import { createPulls } from './endpoints/pulls.ts';
import { createRefs } from './endpoints/refs.ts';
import { createRepositories } from './endpoints/repositories.ts';
import { createStatuses } from './endpoints/statuses.ts';
import { createTrees } from './endpoints/trees.ts';
import { webUrlOf } from './access/web-url.ts';
import { createWriteBatches } from './batches/write-batches.ts';

export interface GitHubPortOptions extends Pick<
  GitHubCallerOptions,
  'apiUrl' | 'access' | 'clock' | 'proxy'
> {
  /** Milliseconds for one request. */
  readonly timeoutMs?: number;
}

/** Connects the worker to GitHub. No call is sent twice, because the worker's jobs repeat what failed. */
export function createGitHubPort({ timeoutMs = 15_000, ...options }: GitHubPortOptions): GitHubPort {
  const health = createAccessHealth();
  const allowances = createAllowances();
  const github = createGitHubCaller({ ...options, timeoutMs, health, allowances });
  const { access } = github;
  const repositories = createRepositories(github);
  return {
    webUrl: webUrlOf(options.apiUrl),
    kind: access.kind,
    accessState: (repositoryId) => health.stateOf(repositoryId),
    installation: (repositoryId) => access.installation(repositoryId),
    accountOf: (repository) => access.accountOf(repository),
    allowances,
    ...repositories,
    ...createRepositoryStates(github, health),
    ...createRefs(github),
    ...createCommits(github),
    ...createStatuses(github),
    ...createWriteBatches(github, { ...repositories, now: options.clock.now }),
    checks: createChecks(github),
    comments: createComments(github),
    deployments: createDeployments(github),
    hooks: createHooks(github),
    people: createPeople(github),
    pulls: createPulls(github),
    trees: createTrees(github),
  };
}
