import type { RepositoryPolicy } from '../../../lib/config/worker-schema.ts';
import type { WorkerConfig } from '../../../lib/config/read-worker-config.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { HookPlace } from '../../../lib/github/hooks.ts';
import { messageOf } from '../../promotion/advance.ts';
import { describeSource, findRecoverySource, type RecoverySource } from './find-recovery-source.ts';
import type { DeletedRefs } from './deleted-refs.ts';
import { type DeliveriesContext, retentionMs, sweepDeliveries } from './sweep-deliveries.ts';
import { sweepDeletedRefs } from './sweep-deleted-refs.ts';
import { type HeadsContext, sweepHeads } from './sweep-heads.ts';
import type { Era } from './sweep-state.ts';

export interface SweeperContext
  extends Omit<DeliveriesContext, 'hooks' | 'isRelevant'>, Omit<HeadsContext, 'github' | 'era'> {
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

/** Interval between checks which recovery source is available: an hour. */
const sourceCheckIntervalMs = 3_600_000;

export function createSweeper(context: SweeperContext): Sweeper {
  const { config, github, state, deletedRefs, clock, logger, settings } = context;
  const served = new Map(config.repositories.map((repository) => [repository.id, repository]));
  const sources = new Map<number, { readonly source: RecoverySource; readonly at: number }>();

  async function sweep(): Promise<void> {
    const now = clock.now();
    // Read before the era: the worker that finds the records lost requests a sweep, and this sweep may not know
    // of the loss yet.
    const sweepRequest = await state.sweepRequest();
    const era = await state.era();
    // A sweep without records would record results that hide what must be found after their loss.
    if (era === undefined) return;
    // Reserve the time that this sweep takes, also in case it fails.
    await state.saveTimes({ next: now + Math.min(settings.sweepMs, afterFaultMs) });
    const late = now - (await state.times()).last > retentionMs;
    const places = new Map<string, HookPlace>();
    let failed = false;
    for (const repository of config.repositories) {
      try {
        const place = await findPlace(repository);
        if (place !== undefined) places.set(JSON.stringify(place), place);
        // Deliveries that GitHub no longer lists can only be found by comparing heads. After a loss the
        // deliveries show more, including the pusher.
        if (place === undefined || late)
          await heads(repository, place === undefined ? era : { ...era, lost: false });
        await forgetDeletedRefs(repository);
      } catch (error) {
        failed = true;
        logger.warn('The sweep of a repository failed.', {
          repository: repository.name,
          error: messageOf(error),
        });
      }
    }
    for (const place of places.values()) failed = !(await deliveries(place)) || failed;
    if (!failed) await state.saveTimes({ last: now, next: now + settings.sweepMs });
    // Not earlier: a request during which a worker died must stay.
    await state.clearSweepRequest(sweepRequest);
  }

  async function heads(repository: RepositoryPolicy, era: Era): Promise<void> {
    const count = await sweepHeads(repository, { ...context, era });
    if (count === 0) return;
    context.onRecovered('head', count);
    logger.warn('Undelivered pushes recovered.', { repository: repository.name, count });
  }

  /** Once a day. */
  async function forgetDeletedRefs(repository: RepositoryPolicy): Promise<void> {
    if (!(await deletedRefs.isDue(repository.id, clock.now()))) return;
    const deletedForMs = Math.max(config.keep.promotions, minDeletedMs);
    const count = await sweepDeletedRefs(repository, { github, deletedRefs, clock, deletedForMs });
    if (count === 0) return;
    logger.info('Records of deleted refs removed.', {
      repository: repository.name,
      count,
    });
  }

  async function deliveries(place: HookPlace): Promise<boolean> {
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
      return true;
    } catch (error) {
      logger.warn('Reading the deliveries failed.', { error: messageOf(error) });
      return false;
    }
  }

  /** Where the deliveries of a repository are listed; undefined if this token may not see them. */
  async function findPlace({ id, name }: RepositoryPolicy): Promise<HookPlace | undefined> {
    const known = sources.get(id);
    const source =
      known !== undefined && clock.now() - known.at < sourceCheckIntervalMs
        ? known.source
        : await findRecoverySource(id, github, config.url);
    if (source !== known?.source) sources.set(id, { source, at: clock.now() });
    if (await state.saveSource(id, source.kind))
      logger.info(describeSource[source.kind], { repository: name });
    return source.place;
  }

  return {
    async tick() {
      if (clock.now() < (await state.times()).next && (await state.sweepRequest()) === undefined) return;
      await state.runExclusive(sweep);
    },
  };
}
