import type { RepositoryPolicy } from '../../../lib/config/worker-schema.ts';
import type { WorkerConfig } from '../../../lib/config/read-worker-config.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { HookPlace } from '../../../lib/github/hooks.ts';
import { messageOf } from '../../promotion/advance.ts';
import type { FailureLog } from '../../telemetry/failure-log.ts';
import { createPlaceFinder, type PlaceFinder } from './find-recovery-source.ts';
import type { DeletedRefs } from './deleted-refs.ts';
import { type DeliveriesContext, sweepDeliveries } from './sweep-deliveries.ts';
import { sweepDeletedRefs } from './sweep-deleted-refs.ts';
import { type HeadsContext, sweepHeads } from './sweep-heads.ts';
import type { Era } from './sweep-state.ts';

export interface SweeperContext
  extends Omit<DeliveriesContext, 'hooks' | 'isRelevant'>, Omit<HeadsContext, 'github' | 'era'> {
  /** Read where it is used: it changes while the worker runs. */
  readonly config: Pick<WorkerConfig, 'repositories' | 'url' | 'keep'>;
  readonly deletedRefs: DeletedRefs;
  readonly github: GitHubPort;
  readonly settings: { readonly sweepMs: number };
  readonly failures: FailureLog;
  /** Called with the number of recovered deliveries or heads, for the metrics. */
  readonly onRecovered: (what: 'delivery' | 'head', count: number) => void;
}

/** Finds missed pushes. */
export interface Sweeper {
  /** Sweeps if a sweep is due or requested; does nothing while another worker sweeps. */
  tick(): Promise<void>;
}

/** Events that the worker uses. */
const relevantEvents = new Set(['push', 'issue_comment']);

/** Milliseconds until a failed sweep is retried. */
const afterFaultMs = 30_000;

/** As long as deliveries are remembered: until then an event of a deleted ref may arrive again. */
const minDeletedMs = 30 * 86_400_000;

/** Interval between comparisons of the heads of a repository whose deliveries GitHub lists: an hour. */
const comparisonIntervalMs = 3_600_000;

export function createSweeper(context: SweeperContext): Sweeper {
  const { state, clock } = context;
  const placeFinder = createPlaceFinder(context);
  /** Until this process has swept. */
  let isFirst = true;

  async function sweep(): Promise<void> {
    const now = clock.now();
    // Read before the era: the worker that finds the records lost requests a sweep, and this sweep may not know
    // of the loss yet.
    const sweepRequest = await state.sweepRequest();
    const era = await state.era();
    // A sweep without records would record results that hide what must be found after their loss.
    if (era === undefined) return;
    // Reserve the time that this sweep takes, also in case it fails.
    const soon = now + Math.min(context.settings.sweepMs, afterFaultMs);
    await state.saveTimes({ next: soon });
    const { isPending, failed } = await sweepRepositories({ context, placeFinder, era, isFirst, now });
    isFirst = false;
    if (!failed)
      await state.saveTimes({ last: now, next: isPending ? soon : now + context.settings.sweepMs });
    // Not earlier: a request during which a worker died must stay.
    await state.clearSweepRequest(sweepRequest);
  }

  return {
    async tick() {
      // A restart sweeps at once: nothing was swept while no worker ran.
      if (!isFirst && clock.now() < (await state.times()).next && (await state.sweepRequest()) === undefined)
        return;
      await state.runExclusive(sweep);
    },
  };
}

/** One sweep. */
interface Sweep {
  readonly context: SweeperContext;
  readonly placeFinder: PlaceFinder;
  readonly era: Era;
  /** The first sweep of this process. */
  readonly isFirst: boolean;
  /** When it began. */
  readonly now: number;
}

interface SweepEnd {
  /** Deliveries were requested again: their repositories are compared after their arrival. */
  readonly isPending: boolean;
  readonly failed: boolean;
}

/** Requests what each webhook failed to deliver, then compares the heads of the repositories where that is due. */
async function sweepRepositories(sweep: Sweep): Promise<SweepEnd> {
  const { repositories } = sweep.context.config;
  const places = await findPlaces(repositories, sweep);
  const redeliveries = await redeliverAll(places.values(), sweep);
  let failed = places.size < repositories.length;
  let isPending = false;
  for (const [repository, place] of places) {
    const count = place === undefined ? 0 : redeliveries.get(JSON.stringify(place));
    const done = await attempt(repository, sweep, async () => {
      // What was requested again comes with its sender: compare when it has arrived.
      if (count !== 0) isPending = true;
      else await compareHeads(repository, place, sweep);
      await forgetDeletedRefs(repository, sweep);
    });
    failed ||= !done || count === undefined;
  }
  return { isPending, failed };
}

/**
 * Does work for a repository; false if it failed. What was pushed while GitHub refuses, because the App is suspended,
 * is in no list of deliveries: the refs are compared as soon as GitHub answers again.
 */
async function attempt(
  repository: RepositoryPolicy,
  { context: { state, failures } }: Sweep,
  work: () => Promise<void>,
): Promise<boolean> {
  const name = `sweep ${repository.id}`;
  try {
    await work();
    failures.worked(name);
    return true;
  } catch (error) {
    failures.failed(name, 'The sweep of a repository failed.', {
      repository: repository.name,
      error: messageOf(error),
    });
    await state.saveComparison(repository.id, 0);
    return false;
  }
}

/** Where the deliveries of each repository are listed; without the repositories for which that failed. */
async function findPlaces(
  repositories: readonly RepositoryPolicy[],
  sweep: Sweep,
): Promise<ReadonlyMap<RepositoryPolicy, HookPlace | undefined>> {
  const places = new Map<RepositoryPolicy, HookPlace | undefined>();
  for (const repository of repositories)
    await attempt(
      repository,
      sweep,
      async () => void places.set(repository, await sweep.placeFinder.find(repository)),
    );
  return places;
}

/** The number of redeliveries requested from each place, by its JSON; undefined if its deliveries could not be read. */
async function redeliverAll(
  places: Iterable<HookPlace | undefined>,
  sweep: Sweep,
): Promise<ReadonlyMap<string, number | undefined>> {
  const requested = new Map<string, number | undefined>();
  for (const place of places) {
    const name = JSON.stringify(place);
    if (place !== undefined && !requested.has(name)) requested.set(name, await redeliver(place, sweep));
  }
  return requested;
}

async function redeliver(place: HookPlace, { context, placeFinder }: Sweep): Promise<number | undefined> {
  const { github, logger, failures } = context;
  const name = `deliveries ${JSON.stringify(place)}`;
  const served = new Set(context.config.repositories.map(({ id }) => id));
  const isRelevant: DeliveriesContext['isRelevant'] = ({ event, repositoryId }) =>
    relevantEvents.has(event) &&
    (repositoryId === undefined ? place.kind === 'repository' : served.has(repositoryId));
  try {
    const count = await sweepDeliveries(place, { ...context, hooks: github.hooks, isRelevant });
    failures.worked(name);
    // The permission to see deliveries was revoked: the next sweep looks for another source.
    if (count === undefined) placeFinder.forget();
    if (count !== undefined && count > 0) {
      context.onRecovered('delivery', count);
      logger.warn('Redeliveries requested.', { count });
    }
    return count ?? 0;
  } catch (error) {
    failures.failed(name, 'Reading the deliveries failed.', { error: messageOf(error) });
    return undefined;
  }
}

/** Compares the heads where no deliveries are listed, and otherwise where it is due. */
async function compareHeads(
  repository: RepositoryPolicy,
  place: HookPlace | undefined,
  sweep: Sweep,
): Promise<void> {
  const { context } = sweep;
  const { state, clock, logger } = context;
  if (place !== undefined && !(await isComparisonDue(repository, sweep))) return;
  // After a loss the deliveries show more than the heads.
  const era = place === undefined ? sweep.era : { ...sweep.era, lost: false };
  const count = await sweepHeads(repository, { ...context, era });
  await state.saveComparison(repository.id, clock.now());
  if (count === 0) return;
  context.onRecovered('head', count);
  logger.warn('Undelivered pushes recovered.', { repository: repository.name, count });
}

/** Whether to compare heads although GitHub lists deliveries: it lists none of the time of a suspension. */
async function isComparisonDue(
  { id }: RepositoryPolicy,
  { context: { state }, isFirst, now }: Sweep,
): Promise<boolean> {
  return isFirst || now - (await state.lastComparison(id)) >= comparisonIntervalMs;
}

/** Once a day. */
async function forgetDeletedRefs(repository: RepositoryPolicy, { context }: Sweep): Promise<void> {
  const { github, deletedRefs, clock, logger } = context;
  if (!(await deletedRefs.isDue(repository.id, clock.now()))) return;
  const deletedForMs = Math.max(context.config.keep.promotions, minDeletedMs);
  const count = await sweepDeletedRefs(repository, { github, deletedRefs, clock, deletedForMs });
  if (count === 0) return;
  logger.info('Records of deleted refs removed.', {
    repository: repository.name,
    count,
  });
}
