import type { WorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import type { RepositoryPolicy } from '../../../lib/config/worker/worker-schema.ts';
import type { Clock, Logger } from '../../../lib/core/ports/ports.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { RepositoryState } from '../../../lib/github/endpoints/repository-states.ts';
import type { HookPlace } from '../../../lib/github/endpoints/hooks.ts';
import type { RecoverySource, SweepState } from './sweep-state.ts';

/** Describes each source for people. */
const describeSource: Readonly<Record<RecoverySource['kind'], string>> = {
  'app-deliveries': 'Missed pushes are recovered by redelivery, from the deliveries of the GitHub App.',
  'hook-deliveries':
    'Missed pushes are recovered by redelivery, from the deliveries of the repository’s webhook.',
  heads:
    'Missed pushes are found by comparing branches and tags: this token may not see the deliveries of a webhook.',
};

interface PlaceFinderContext {
  /** Read each time it is used, because it changes while the worker runs. */
  readonly config: Pick<WorkerConfig, 'url'>;
  readonly github: Pick<GitHubPort, 'kind' | 'hooks' | 'repository'>;
  readonly state: Pick<SweepState, 'recoverySource' | 'saveSource'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Finds where GitHub lists the deliveries of each repository, and caches the result for some time. */
export interface PlaceFinder {
  /**
   * Undefined if this token may not see them. Throws errors of GitHub, also if the App is suspended: the list of its
   * deliveries would not show that. `current`: what GitHub has just shown of the repository; `sourceMs`: age at which the
   * answer is checked again,
   * if `mayCheckAgain` then allows it.
   */
  find(
    repository: RepositoryPolicy,
    facts: {
      readonly current: RepositoryState | undefined;
      readonly sourceMs: number;
      readonly mayCheckAgain: () => boolean;
    },
  ): Promise<HookPlace | undefined>;
  /** Forgets all sources; each is determined again. */
  forget(): void;
}

export function createPlaceFinder(context: PlaceFinderContext): PlaceFinder {
  const { github, state, clock, logger } = context;
  /** Sources that are to be determined again, whatever is remembered. */
  let validSince = 0;
  return {
    async find({ id, name }, { current, sourceMs, mayCheckAgain }) {
      if (github.kind === 'app' && current === undefined) await github.repository(id);
      // All repositories share the deliveries of an App.
      const key = github.kind === 'app' ? 'app' : id;
      const saved = await state.recoverySource(key);
      const isCurrent =
        saved !== undefined &&
        saved.at >= validSince &&
        !isRenamed(saved.source, current) &&
        (clock.now() - saved.at < sourceMs || !mayCheckAgain());
      const source = isCurrent
        ? saved.source
        : await findRecoverySource(id, github, { url: context.config.url, fullName: current?.fullName });
      if (await state.saveSource(id, { key, source, at: isCurrent ? saved.at : clock.now() }))
        logger.info(describeSource[source.kind], { repository: name });
      return source.place;
    },
    forget: () => void (validSince = clock.now() + 1),
  };
}

function isRenamed({ place }: RecoverySource, current: RepositoryState | undefined): boolean {
  return current !== undefined && place?.kind === 'repository' && place.fullName !== current.fullName;
}

/**
 * Finds the best source of missed pushes that GitHub allows for a repository. `url`: the public address of the
 * worker; without it, any webhook counts whose address ends with the worker's path. `fullName`: the repository's
 * current name, if it is known. Throws errors of GitHub.
 */
export async function findRecoverySource(
  repositoryId: number,
  github: Pick<GitHubPort, 'kind' | 'hooks' | 'repository'>,
  {
    url,
    fullName: currentName,
  }: { readonly url: string | undefined; readonly fullName?: string | undefined },
): Promise<RecoverySource> {
  if (github.kind === 'app') {
    const page = await github.hooks.deliveries({ kind: 'app' }, '');
    return page === undefined
      ? { kind: 'heads', reason: 'no-rights' }
      : { kind: 'app-deliveries', place: { kind: 'app' } };
  }
  const fullName = currentName ?? (await github.repository(repositoryId)).fullName;
  const hooks = await github.hooks.list(fullName);
  if (hooks === undefined) return { kind: 'heads', reason: 'no-rights' };
  const hook = hooks.find(
    ({ active, events, url: to }) =>
      active && (events.includes('push') || events.includes('*')) && isOurs(to, url),
  );
  return hook === undefined
    ? { kind: 'heads', reason: 'no-hook' }
    : { kind: 'hook-deliveries', place: { kind: 'repository', fullName, hook: hook.id } };
}

function isOurs(to: string, url: string | undefined): boolean {
  if (url !== undefined) return to === `${url}/webhooks/github`;
  return URL.canParse(to) && new URL(to).pathname.endsWith('/webhooks/github');
}
