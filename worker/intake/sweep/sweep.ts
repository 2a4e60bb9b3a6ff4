import type { WorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { HookPlace } from '../../../lib/github/endpoints/hooks.ts';
import type { RepositoryState } from '../../../lib/github/endpoints/repository-states.ts';
import type { FailureLog } from '../../telemetry/failure-log.ts';
import type { DeletedRefs } from './deleted-refs.ts';
import type { PlaceFinder } from './find-recovery-source.ts';
import type { DeliveriesContext } from './sweep-deliveries.ts';
import type { HeadsContext } from './sweep-heads.ts';
import type { RecordsIdentity } from './sweep-state.ts';

export interface SweeperContext
  extends
    Omit<DeliveriesContext, 'hooks' | 'isRelevant'>,
    Omit<HeadsContext, 'github' | 'records' | 'current'> {
  /** Read each time it is used, because it changes while the worker runs. */
  readonly config: Pick<WorkerConfig, 'repositories' | 'url' | 'keep'>;
  readonly deletedRefs: DeletedRefs;
  readonly github: GitHubPort;
  readonly settings: { readonly sweepMs: number };
  readonly failures: FailureLog;
  /**
   * Called after a sweep with the oldest of the times at which the repositories were last read, in milliseconds since
   * the epoch.
   */
  readonly onSwept: (oldestLookAt: number) => void;
  /** Called with the number of recovered deliveries or heads, for the metrics. */
  readonly onRecovered: (what: 'delivery' | 'head', count: number) => void;
}

/** One sweep. */
export interface Sweep {
  readonly context: SweeperContext;
  readonly placeFinder: PlaceFinder;
  readonly records: RecordsIdentity;
  /** The first sweep of this process. */
  readonly isFirst: boolean;
  /** When it began. */
  readonly now: number;
  /** The request that it answers; see SweepState. */
  readonly request: string | undefined;
}

export interface SweepEnd {
  /** Deliveries were requested again: their repositories are compared after their arrival. */
  readonly isPending: boolean;
  readonly failed: boolean;
}

/** How much the clocks of this host and of GitHub may differ, in milliseconds. */
export const clockToleranceMs = 10 * 60_000;

/** What one sweep knows about a repository. */
export interface Known {
  readonly current: RepositoryState | undefined;
  /** Where its deliveries are listed. */
  readonly place: HookPlace | undefined;
}

/** Whether the sweep may send a single request for a repository. Half of GitHub's allowance is kept for pushes. */
export function isAffordable({ context: { github, clock, failures } }: Sweep): boolean {
  const account = github.kind === 'app' ? 'app' : 'token';
  const isLeft = github.allowances.hasHalf(account, 'core', clock.now());
  if (isLeft) failures.worked('allowance');
  else
    failures.failed(
      'allowance',
      'Half of the requests that GitHub allows in an hour are used: sweeps wait.',
      {
        error: 'the other half is kept for pushes',
      },
    );
  return isLeft;
}
