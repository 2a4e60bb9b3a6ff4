import type { Clock } from '../core/ports.ts';
import { createAsk } from './ask.ts';
import { checkRuns } from './check-runs.ts';
import { deployments } from './deployments.ts';
import type { GitHubAccess } from './github-access.ts';
import type { GitHubPort } from './github-port.ts';
import { hooks } from './hooks.ts';
import { people } from './people.ts';
import { repositoryReads } from './repository-reads.ts';
import { statuses } from './statuses.ts';

export interface GitHubPortOptions {
  readonly apiUrl: string;
  /** `tokenAccess` or `appAccess`. */
  readonly access: GitHubAccess;
  readonly clock: Clock;
  /** Milliseconds that one request may take. */
  readonly timeoutMs?: number;
}

/** GitHub through its REST API. */
export function createGitHubPort({
  apiUrl,
  access,
  clock,
  timeoutMs = 15_000,
}: GitHubPortOptions): GitHubPort {
  const ask = createAsk({ apiUrl, access, clock, timeoutMs });
  return {
    kind: access.kind,
    accountOf: (fullName) => access.accountOf(fullName),
    ...repositoryReads(ask, access),
    ...statuses(ask),
    checks: checkRuns(ask),
    deployments: deployments(ask),
    hooks: hooks(ask, access),
    people: people(ask),
  };
}
