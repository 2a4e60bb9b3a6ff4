import type { RepositoryPolicy } from '../../../lib/config/worker-schema.ts';
import type { HookPlace } from '../../../lib/github/hooks.ts';
import type { Look } from '../../../lib/github/looks.ts';
import { messageOf } from '../../promotion/advance.ts';
import type { SweeperContext } from './create-sweeper.ts';
import type { PlaceFinder } from './find-recovery-source.ts';
import { lookAtAll } from './look-at-all.ts';
import { createBudget, type Pace, paceOf } from './pace.ts';
import { type DeliveriesContext, sweepDeliveries } from './sweep-deliveries.ts';
import { sweepDeletedRefs } from './sweep-deleted-refs.ts';
import { showsNews, sweepHeads } from './sweep-heads.ts';
import type { Era } from './sweep-state.ts';

/** One sweep. */
export interface Sweep {
  readonly context: SweeperContext;
  readonly placeFinder: PlaceFinder;
  readonly era: Era;
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

/** Events that the worker uses. */
const relevantEvents = new Set(['push', 'issue_comment']);

/** As long as deliveries are remembered: until then an event of a deleted ref may arrive again. */
const minDeletedMs = 30 * 86_400_000;

/** Interval between comparisons of the heads of a repository whose deliveries GitHub lists: an hour. */
const comparisonIntervalMs = 3_600_000;

/** A repository with more refs than a look shows is compared after a push, and at least this often. */
const fullComparisonMs = 6 * 3_600_000;
/** The clocks of this host and of GitHub may differ by this. */
const clockToleranceMs = 10 * 60_000;

/** What is known of a repository in one sweep. */
interface Known {
  readonly look: Look | undefined;
  /** Where its deliveries are listed. */
  readonly place: HookPlace | undefined;
}

/**
 * Looks at all repositories, requests what each webhook failed to deliver, then compares the heads of the repositories
 * where that is due. The repository that was looked at longest ago comes first: where half of GitHub's allowance is
 * used up, the next sweep continues.
 */
export async function sweepRepositories(sweep: Sweep): Promise<SweepEnd> {
  const { config, state, clock } = sweep.context;
  const { sweepMs } = sweep.context.settings;
  const pace = paceOf(config.repositories.length, sweepMs);
  const mayStart = createBudget(config.repositories.length, sweepMs, pace);
  const lookedAt = await state.looks();
  const repositories = config.repositories.toSorted(
    (a, b) => (lookedAt.get(a.id) ?? 0) - (lookedAt.get(b.id) ?? 0),
  );
  const looks = await lookAt(repositories, sweep);
  await state.saveLooks([...looks.keys()], clock.now());
  const { known, failed: notFound } = await findPlaces(
    repositories,
    looks,
    { ...pace, mayCheckAgain: mayStart.sourceMs },
    sweep,
  );
  const redeliveries = await redeliverAll(known, { ...pace, mayRead: mayStart.deliveriesMs }, sweep);
  let failed = notFound;
  let isPending = false;
  for (const [repository, { look, place }] of known) {
    const count = place === undefined ? 0 : redeliveries.get(JSON.stringify(place));
    const done = await attempt(repository, sweep, async () => {
      // What was requested again comes with its sender: compare when it has arrived.
      if (count !== 0) isPending = true;
      else await compareHeads(repository, { look, place }, sweep);
      if (look === undefined) await state.saveLooks([repository.id], clock.now());
      await forgetDeletedRefs(repository, sweep);
    });
    failed ||= !done || count === undefined;
  }
  return { isPending, failed };
}

/** What GitHub shows of the repositories. Those that it does not show are asked about one by one. */
async function lookAt(
  repositories: readonly RepositoryPolicy[],
  { context: { github, failures } }: Sweep,
): Promise<ReadonlyMap<number, Look>> {
  let isBroken = false;
  const looks = await lookAtAll(repositories, github, (error) => {
    isBroken = true;
    failures.failed(
      'look',
      'GitHub did not show several repositories at once; each is asked about by itself.',
      {
        error: messageOf(error),
      },
    );
  });
  if (!isBroken) failures.worked('look');
  return looks;
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

/**
 * Whether a request of its own may be sent for a repository: half of GitHub's allowance is for pushes.
 */
function isAffordable({ context: { github, clock, failures } }: Sweep): boolean {
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

/** Where the deliveries of each repository are listed; without the repositories for which that failed or must wait. */
async function findPlaces(
  repositories: readonly RepositoryPolicy[],
  looks: ReadonlyMap<number, Look>,
  { sourceMs, mayCheckAgain }: Pick<Pace, 'sourceMs'> & { readonly mayCheckAgain: () => boolean },
  sweep: Sweep,
): Promise<{ readonly known: ReadonlyMap<RepositoryPolicy, Known>; readonly failed: boolean }> {
  const known = new Map<RepositoryPolicy, Known>();
  let failed = false;
  for (const repository of repositories) {
    if (!isAffordable(sweep)) break;
    const done = await attempt(repository, sweep, async () => {
      const look = looks.get(repository.id);
      const place = await sweep.placeFinder.find(repository, { look, sourceMs, mayCheckAgain });
      known.set(repository, { look, place });
    });
    failed ||= !done;
  }
  return { known, failed };
}

/**
 * The number of redeliveries requested from each place, by its JSON; undefined if its deliveries could not be read, 0 if
 * they need not be read now.
 */
async function redeliverAll(
  known: ReadonlyMap<RepositoryPolicy, Known>,
  pace: ReadPace,
  sweep: Sweep,
): Promise<ReadonlyMap<string, number | undefined>> {
  const requested = new Map<string, number | undefined>();
  for (const [repository, { look, place }] of known) {
    const name = JSON.stringify(place);
    if (place === undefined || requested.has(name)) continue;
    const isDue = await isReadDue({ repository, look, place }, pace, sweep);
    requested.set(name, isDue && isAffordable(sweep) ? await redeliver(place, sweep) : 0);
  }
  return requested;
}

type ReadPace = Pick<Pace, 'deliveriesMs'> & { readonly mayRead: () => boolean };

/** Whether to read the deliveries of a webhook: after a request, where refs have moved, and otherwise at a pace. */
async function isReadDue(
  { repository, look, place }: Known & { readonly repository: RepositoryPolicy; readonly place: HookPlace },
  { deliveriesMs, mayRead }: ReadPace,
  { context, era, request, isFirst, now }: Sweep,
): Promise<boolean> {
  const { settings, state, chain } = context;
  // One list for all repositories.
  if (place.kind === 'app') return true;
  const [, only] = / (\d+)$/.exec(request ?? '') ?? [];
  if (request !== undefined && (only === undefined || Number(only) === repository.id)) return true;
  if (isFirst && deliveriesMs === settings.sweepMs) return true;
  const last = await state.lastRead(JSON.stringify(place));
  const hasNews =
    look !== undefined &&
    ((await showsNews(look, repository, { chain, era })) ?? look.pushedAt + clockToleranceMs >= last);
  return hasNews || (now - last >= deliveriesMs && mayRead());
}

async function redeliver(
  place: HookPlace,
  { context, placeFinder, now }: Sweep,
): Promise<number | undefined> {
  const { github, logger, failures, state } = context;
  const name = `deliveries ${JSON.stringify(place)}`;
  const served = new Set(context.config.repositories.map(({ id }) => id));
  const isRelevant: DeliveriesContext['isRelevant'] = ({ event, repositoryId }) =>
    relevantEvents.has(event) &&
    (repositoryId === undefined ? place.kind === 'repository' : served.has(repositoryId));
  try {
    const count = await sweepDeliveries(place, { ...context, hooks: github.hooks, isRelevant });
    failures.worked(name);
    await state.saveRead(JSON.stringify(place), now);
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
  { look, place }: Known,
  sweep: Sweep,
): Promise<void> {
  const { context } = sweep;
  const { state, clock, logger } = context;
  if (!(await isComparisonDue(repository, { look, place }, sweep))) return;
  // After a loss the deliveries show more than the heads.
  const era = place === undefined ? sweep.era : { ...sweep.era, lost: false };
  const count = await sweepHeads(repository, { ...context, era, look });
  await state.saveComparison(repository.id, clock.now());
  if (count === 0) return;
  context.onRecovered('head', count);
  logger.warn('Undelivered pushes recovered.', { repository: repository.name, count });
}

/**
 * Whether to compare heads although GitHub lists deliveries (it lists none of the time of a suspension), or although
 * that takes requests of its own.
 */
async function isComparisonDue(
  { id }: RepositoryPolicy,
  { look, place }: Known,
  { context: { state }, isFirst, now }: Sweep,
): Promise<boolean> {
  if (isFirst) return true;
  const sinceMs = now - (await state.lastComparison(id));
  if (place !== undefined) return sinceMs >= comparisonIntervalMs;
  if (look === undefined || look.refs !== undefined) return true;
  return sinceMs >= fullComparisonMs || now - look.pushedAt <= sinceMs + clockToleranceMs;
}

/** Once a day. */
async function forgetDeletedRefs(repository: RepositoryPolicy, sweep: Sweep): Promise<void> {
  const { github, deletedRefs, clock, logger, config } = sweep.context;
  if (!isAffordable(sweep) || !(await deletedRefs.isDue(repository.id, clock.now()))) return;
  const deletedForMs = Math.max(config.keep.promotions, minDeletedMs);
  const count = await sweepDeletedRefs(repository, { github, deletedRefs, clock, deletedForMs });
  if (count === 0) return;
  logger.info('Records of deleted refs removed.', {
    repository: repository.name,
    count,
  });
}
