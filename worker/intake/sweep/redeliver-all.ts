import { messageOf } from '../../../lib/core/errors/message-of.ts';
import type { RepositoryPolicy } from '../../../lib/config/worker/worker-schema.ts';
import type { HookPlace } from '../../../lib/github/endpoints/hooks.ts';
import type { Pace } from './pace.ts';
import { clockToleranceMs, isAffordable, type Known, type Sweep } from './sweep.ts';
import { type DeliveriesContext, sweepDeliveries } from './sweep-deliveries.ts';
import { showsNews } from './sweep-heads.ts';

/** Events that the worker uses. */
const relevantEvents = new Set(['push', 'issue_comment']);

/**
 * Requests redelivery of failed deliveries in all places that list them. Returns the number of requests for each
 * place (the key is its JSON): undefined if its deliveries could not be read, 0 if it is not due yet.
 */
export async function redeliverAll(
  places: ReadonlyMap<RepositoryPolicy, Known>,
  pace: ReadPace,
  sweep: Sweep,
): Promise<ReadonlyMap<string, number | undefined>> {
  const requested = new Map<string, number | undefined>();
  for (const [repository, { current, place }] of places) {
    const name = JSON.stringify(place);
    if (place === undefined || requested.has(name)) continue;
    const isDue = await isReadDue({ repository, current, place }, pace, sweep);
    requested.set(name, isDue && isAffordable(sweep) ? await redeliver(place, sweep) : 0);
  }
  return requested;
}

type ReadPace = Pick<Pace, 'deliveriesMs'> & { readonly mayRead: () => boolean };

/** Whether to read the deliveries of a webhook: after a request, after refs have moved, and otherwise at intervals. */
async function isReadDue(
  {
    repository,
    current,
    place,
  }: Known & { readonly repository: RepositoryPolicy; readonly place: HookPlace },
  { deliveriesMs, mayRead }: ReadPace,
  { context, records, request, isFirst, now }: Sweep,
): Promise<boolean> {
  const { settings, state, chain } = context;
  // One list for all repositories.
  if (place.kind === 'app') return true;
  const [, only] = / (\d+)$/.exec(request ?? '') ?? [];
  if (request !== undefined && (only === undefined || Number(only) === repository.id)) return true;
  if (isFirst && deliveriesMs === settings.sweepMs) return true;
  const last = await state.lastRead(JSON.stringify(place));
  const hasNews =
    current !== undefined &&
    ((await showsNews(current, repository, { chain, records })) ??
      current.pushedAt + clockToleranceMs >= last);
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
