import type { RepositoryPolicy } from '../../../lib/config/worker-schema.ts';
import type { WorkerConfig } from '../../../lib/config/read-worker-config.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { HookPlace } from '../../../lib/github/hooks.ts';
import { wordsOf } from '../../promotion/advance.ts';
import { explainWay, findWay, type Way } from './find-way.ts';
import type { GoneRefs } from './gone-refs.ts';
import { type DeliveriesContext, retentionMs, sweepDeliveries } from './sweep-deliveries.ts';
import { sweepGoneRefs } from './sweep-gone-refs.ts';
import { type HeadsContext, sweepHeads } from './sweep-heads.ts';
import type { Era } from './sweep-state.ts';

export interface SweeperContext
  extends Omit<DeliveriesContext, 'hooks' | 'isRelevant'>, Omit<HeadsContext, 'github' | 'era'> {
  readonly config: Pick<WorkerConfig, 'repositories' | 'url' | 'keep'>;
  readonly gone: GoneRefs;
  readonly github: GitHubPort;
  readonly settings: { readonly sweepMs: number };
  /** Told of what was found, for the metrics. */
  readonly onRecovered: (what: 'delivery' | 'head', count: number) => void;
}

/** Looks for what was missed. */
export interface Sweeper {
  /** Sweeps if it is time, or somebody asked; does nothing where another worker is at it. */
  tick(): Promise<void>;
}

/** Events that anything follows from. */
const relevantEvents = new Set(['push', 'issue_comment']);

/** Milliseconds until a sweep that broke off is tried again. */
const afterFaultMs = 30_000;

/** As long as deliveries are remembered: until then an event of a ref that is gone may come again. */
const leastGoneMs = 30 * 86_400_000;

/** How often it is looked for a way to see deliveries: an hour. */
const wayMs = 3_600_000;

export function createSweeper(context: SweeperContext): Sweeper {
  const { config, github, state, gone, clock, logger, settings } = context;
  const served = new Map(config.repositories.map((repository) => [repository.id, repository]));
  const ways = new Map<number, { readonly way: Way; readonly at: number }>();

  async function sweep(): Promise<void> {
    const now = clock.now();
    // Read before whose records these are: who finds them lost wishes for a sweep, and this one may know nothing of that.
    const wish = await state.wish();
    const era = await state.era();
    // What a sweep found out without records would stand in the way of what is to be found after their loss.
    if (era === undefined) return;
    // For as long as this one takes, and where it breaks off.
    await state.saveTimes({ next: now + Math.min(settings.sweepMs, afterFaultMs) });
    const late = now - (await state.times()).last > retentionMs;
    const places = new Map<string, HookPlace>();
    let failed = false;
    for (const repository of config.repositories) {
      try {
        const place = await findPlace(repository);
        if (place !== undefined) places.set(JSON.stringify(place), place);
        // What GitHub no longer lists can only be seen by where the branches stand.
        // After a loss its deliveries tell more, and who pushed.
        if (place === undefined || late)
          await heads(repository, place === undefined ? era : { ...era, lost: false });
        await forgetGone(repository);
      } catch (error) {
        failed = true;
        logger.warn('What a repository missed could not be looked for.', {
          repository: repository.name,
          error: wordsOf(error),
        });
      }
    }
    for (const place of places.values()) failed = !(await deliveries(place)) || failed;
    if (!failed) await state.saveTimes({ last: now, next: now + settings.sweepMs });
    // Not before: what a worker died over is still wished for.
    await state.clearWish(wish);
  }

  async function heads(repository: RepositoryPolicy, era: Era): Promise<void> {
    const count = await sweepHeads(repository, { ...context, era });
    if (count === 0) return;
    context.onRecovered('head', count);
    logger.warn('Pushes that were never delivered were taken in.', { repository: repository.name, count });
  }

  /** Once a day. */
  async function forgetGone(repository: RepositoryPolicy): Promise<void> {
    if (!(await gone.isDue(repository.id, clock.now()))) return;
    const goneMs = Math.max(config.keep.promotions, leastGoneMs);
    const count = await sweepGoneRefs(repository, { github, gone, clock, goneMs });
    if (count === 0) return;
    logger.info('What was known of refs that are long gone is forgotten.', {
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
      // The right to see them was taken away: another way is looked for next time.
      if (count === undefined) ways.clear();
      if (count !== undefined && count > 0) {
        context.onRecovered('delivery', count);
        logger.warn('Deliveries that failed or got lost were asked for again.', { count });
      }
      return true;
    } catch (error) {
      logger.warn('The deliveries could not be gone through.', { error: wordsOf(error) });
      return false;
    }
  }

  /** Where the deliveries of a repository are listed; undefined where this token may not see them. */
  async function findPlace({ id, name }: RepositoryPolicy): Promise<HookPlace | undefined> {
    const known = ways.get(id);
    const way =
      known !== undefined && clock.now() - known.at < wayMs
        ? known.way
        : await findWay(id, github, config.url);
    if (way !== known?.way) ways.set(id, { way, at: clock.now() });
    if (await state.saveWay(id, way.kind)) logger.info(explainWay[way.kind], { repository: name });
    return way.place;
  }

  return {
    async tick() {
      if (clock.now() < (await state.times()).next && (await state.wish()) === undefined) return;
      await state.alone(sweep);
    },
  };
}
