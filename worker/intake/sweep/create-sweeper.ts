import type { RepositoryPolicy } from '../../../lib/config/worker-schema.ts';
import type { WorkerConfig } from '../../../lib/config/read-worker-config.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { HookPlace } from '../../../lib/github/hooks.ts';
import { messageOf } from '../../promotion/advance.ts';
import { describeSource, findRecoverySource, type RecoverySource } from './find-recovery-source.ts';
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

/** Interval between checks which recovery source is available: an hour. */
const sourceCheckIntervalMs = 3_600_000;

export function createSweeper(context: SweeperContext): Sweeper {
  const { github, state, deletedRefs, clock, logger, settings } = context;
  /** Until this process has swept. */
  let isFirst = true;
  const sources = new Map<number, { readonly source: RecoverySource; readonly at: number }>();

  async function sweep(): Promise<void> {
    const now = clock.now();
    const { repositories } = context.config;
    // Read before the era: the worker that finds the records lost requests a sweep, and this sweep may not know
    // of the loss yet.
    const sweepRequest = await state.sweepRequest();
    const era = await state.era();
    // A sweep without records would record results that hide what must be found after their loss.
    if (era === undefined) return;
    // Reserve the time that this sweep takes, also in case it fails.
    const soon = now + Math.min(settings.sweepMs, afterFaultMs);
    await state.saveTimes({ next: soon });
    const places = new Map<RepositoryPolicy, HookPlace | undefined>();
    for (const repository of repositories)
      await attempt(repository, async () => void places.set(repository, await findPlace(repository)));
    let failed = places.size < repositories.length;
    const requested = new Map<string, number | undefined>();
    for (const place of places.values()) {
      const name = JSON.stringify(place);
      if (place !== undefined && !requested.has(name)) requested.set(name, await deliveries(place));
    }
    let isPending = false;
    for (const [repository, place] of places) {
      const count = place === undefined ? 0 : requested.get(JSON.stringify(place));
      const done = await attempt(repository, async () => {
        // What was requested again comes with its sender: compare when it has arrived.
        if (count !== 0) isPending = true;
        else if (place === undefined) await heads(repository, era);
        // After a loss the deliveries show more than the heads.
        else if (await isComparisonDue(repository, now)) await heads(repository, { ...era, lost: false });
        await forgetDeletedRefs(repository);
      });
      failed ||= !done || count === undefined;
    }
    isFirst = false;
    if (!failed) await state.saveTimes({ last: now, next: isPending ? soon : now + settings.sweepMs });
    // Not earlier: a request during which a worker died must stay.
    await state.clearSweepRequest(sweepRequest);
  }

  /**
   * Does work for a repository; false if it failed. What was pushed while GitHub refuses, because the App is suspended,
   * is in no list of deliveries: the refs are compared as soon as GitHub answers again.
   */
  async function attempt(repository: RepositoryPolicy, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      logger.warn('The sweep of a repository failed.', {
        repository: repository.name,
        error: messageOf(error),
      });
      await state.saveComparison(repository.id, 0);
      return false;
    }
  }

  /** Whether to compare heads although GitHub lists deliveries: it lists none of the time of a suspension. */
  async function isComparisonDue({ id }: RepositoryPolicy, now: number): Promise<boolean> {
    return isFirst || now - (await state.lastComparison(id)) >= comparisonIntervalMs;
  }

  async function heads(repository: RepositoryPolicy, era: Era): Promise<void> {
    const count = await sweepHeads(repository, { ...context, era });
    await state.saveComparison(repository.id, clock.now());
    if (count === 0) return;
    context.onRecovered('head', count);
    logger.warn('Undelivered pushes recovered.', { repository: repository.name, count });
  }

  /** Once a day. */
  async function forgetDeletedRefs(repository: RepositoryPolicy): Promise<void> {
    if (!(await deletedRefs.isDue(repository.id, clock.now()))) return;
    const deletedForMs = Math.max(context.config.keep.promotions, minDeletedMs);
    const count = await sweepDeletedRefs(repository, { github, deletedRefs, clock, deletedForMs });
    if (count === 0) return;
    logger.info('Records of deleted refs removed.', {
      repository: repository.name,
      count,
    });
  }

  /** The number of redeliveries requested; undefined if the deliveries could not be read. */
  async function deliveries(place: HookPlace): Promise<number | undefined> {
    const served = new Set(context.config.repositories.map(({ id }) => id));
    const isRelevant: DeliveriesContext['isRelevant'] = ({ event, repositoryId }) =>
      relevantEvents.has(event) &&
      (repositoryId === undefined ? place.kind === 'repository' : served.has(repositoryId));
    try {
      const count = await sweepDeliveries(place, { ...context, hooks: github.hooks, isRelevant });
      // The permission to see deliveries was revoked: the next sweep looks for another source.
      if (count === undefined) sources.clear();
      if (count !== undefined && count > 0) {
        context.onRecovered('delivery', count);
        logger.warn('Redeliveries requested.', { count });
      }
      return count ?? 0;
    } catch (error) {
      logger.warn('Reading the deliveries failed.', { error: messageOf(error) });
      return undefined;
    }
  }

  /**
   * Where the deliveries of a repository are listed; undefined if this token may not see them. Throws errors of GitHub,
   * also if the App is suspended: the list of its deliveries would not show that.
   */
  async function findPlace({ id, name }: RepositoryPolicy): Promise<HookPlace | undefined> {
    if (github.kind === 'app') await github.repository(id);
    const known = sources.get(id);
    const source =
      known !== undefined && clock.now() - known.at < sourceCheckIntervalMs
        ? known.source
        : await findRecoverySource(id, github, context.config.url);
    if (source !== known?.source) sources.set(id, { source, at: clock.now() });
    if (await state.saveSource(id, source.kind))
      logger.info(describeSource[source.kind], { repository: name });
    return source.place;
  }

  return {
    async tick() {
      // A restart sweeps at once: nobody swept while no worker ran.
      if (!isFirst && clock.now() < (await state.times()).next && (await state.sweepRequest()) === undefined)
        return;
      await state.runExclusive(sweep);
    },
  };
}
