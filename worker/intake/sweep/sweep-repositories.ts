import { messageOf } from '../../../lib/core/errors/message-of.ts';
import type { RepositoryPolicy } from '../../../lib/config/worker/worker-schema.ts';
import type { RepositoryState } from '../../../lib/github/endpoints/repository-states.ts';
import { readAllRepositories } from './read-all-repositories.ts';
import { createBudget, type Pace, paceOf } from './pace.ts';
import { redeliverAll } from './redeliver-all.ts';
import { clockToleranceMs, isAffordable, type Known, type Sweep, type SweepEnd } from './sweep.ts';
import { sweepDeletedRefs } from './sweep-deleted-refs.ts';
import { sweepHeads } from './sweep-heads.ts';

/** As long as deliveries are remembered: until then an event of a deleted ref may arrive again. */
const minDeletedMs = 30 * 86_400_000;

/** Interval between comparisons of the heads of a repository whose deliveries GitHub lists: an hour. */
const comparisonIntervalMs = 3_600_000;

/** A repository with more refs than one request shows is compared after a push, and at least this often. */
const fullComparisonMs = 6 * 3_600_000;
/**
 * Sweeps all repositories: requests redelivery of what each webhook failed to deliver, then compares the heads of
 * repositories that are due. Begins with the repository that was checked longest ago, and stops when half of
 * GitHub's allowance is used; the next sweep continues.
 */
export async function sweepRepositories(sweep: Sweep): Promise<SweepEnd> {
  const { config, state, clock } = sweep.context;
  const { sweepMs } = sweep.context.settings;
  const pace = paceOf(config.repositories.length, sweepMs);
  const mayStart = createBudget(config.repositories.length, sweepMs, pace);
  const lastReads = await state.readTimes();
  const repositories = config.repositories.toSorted(
    (a, b) => (lastReads.get(a.id) ?? 0) - (lastReads.get(b.id) ?? 0),
  );
  const states = await readRepositories(repositories, sweep);
  await state.saveReadTimes([...states.keys()], clock.now());
  const { places, failed: notFound } = await findPlaces(
    repositories,
    states,
    { ...pace, mayCheckAgain: mayStart.sourceMs },
    sweep,
  );
  const redeliveries = await redeliverAll(places, { ...pace, mayRead: mayStart.deliveriesMs }, sweep);
  let failed = notFound;
  let isPending = false;
  for (const [repository, { current, place }] of places) {
    const count = place === undefined ? 0 : redeliveries.get(JSON.stringify(place));
    const done = await attempt(repository, sweep, async () => {
      // What was requested again comes with its sender: compare when it has arrived.
      if (count !== 0) isPending = true;
      else await compareHeads(repository, { current, place }, sweep);
      if (current === undefined) await state.saveReadTimes([repository.id], clock.now());
      await forgetDeletedRefs(repository, sweep);
    });
    failed ||= !done || count === undefined;
  }
  return { isPending, failed };
}

/** What GitHub shows of the repositories. Those that it does not show are asked about one by one. */
async function readRepositories(
  repositories: readonly RepositoryPolicy[],
  { context: { github, failures } }: Sweep,
): Promise<ReadonlyMap<number, RepositoryState>> {
  let isBroken = false;
  const states = await readAllRepositories(repositories, github, (error) => {
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
  return states;
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

/** Where the deliveries of each repository are listed; without the repositories for which that failed or must wait. */
async function findPlaces(
  repositories: readonly RepositoryPolicy[],
  states: ReadonlyMap<number, RepositoryState>,
  { sourceMs, mayCheckAgain }: Pick<Pace, 'sourceMs'> & { readonly mayCheckAgain: () => boolean },
  sweep: Sweep,
): Promise<{ readonly places: ReadonlyMap<RepositoryPolicy, Known>; readonly failed: boolean }> {
  const places = new Map<RepositoryPolicy, Known>();
  let failed = false;
  for (const repository of repositories) {
    if (!isAffordable(sweep)) break;
    const done = await attempt(repository, sweep, async () => {
      const current = states.get(repository.id);
      const place = await sweep.placeFinder.find(repository, { current, sourceMs, mayCheckAgain });
      places.set(repository, { current, place });
    });
    failed ||= !done;
  }
  return { places, failed };
}

/** Compares the heads if no deliveries are listed, and otherwise if it is due. */
async function compareHeads(
  repository: RepositoryPolicy,
  { current, place }: Known,
  sweep: Sweep,
): Promise<void> {
  const { context } = sweep;
  const { state, clock, logger } = context;
  if (!(await isComparisonDue(repository, { current, place }, sweep))) return;
  // After a loss the deliveries show more than the heads.
  const records = place === undefined ? sweep.records : { ...sweep.records, lost: false };
  const count = await sweepHeads(repository, { ...context, records, current });
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
  { current, place }: Known,
  { context: { state }, isFirst, now }: Sweep,
): Promise<boolean> {
  if (isFirst) return true;
  const sinceMs = now - (await state.lastComparison(id));
  if (place !== undefined) return sinceMs >= comparisonIntervalMs;
  if (current === undefined || current.refs !== undefined) return true;
  return sinceMs >= fullComparisonMs || now - current.pushedAt <= sinceMs + clockToleranceMs;
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
