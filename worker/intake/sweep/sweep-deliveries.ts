import type { Clock, Logger } from '../../../lib/core/ports/ports.ts';
import type { DeliveryAttempt, HookPlace, Hooks } from '../../../lib/github/endpoints/hooks.ts';
import { failureDetails } from '../../../lib/github/access/failure-details.ts';
import type { RedeliveryRequest, SweepState } from './sweep-state.ts';

/** GitHub redelivers for three days. */
const retentionMs = 3 * 86_400_000;
/** Deliveries around the end of the last sweep are checked again: GitHub sometimes lists late. */
const overlapMs = 15 * 60_000;
/** Pages of a hundred that one sweep reads; the next sweep continues where it stopped. */
const maxPages = 20;
/** Redeliveries that one sweep requests. */
const maxRedeliveries = 100;
const maxRequestsPerDelivery = 5;
/** How long a redelivery may take before it counts as lost; doubled with each request. */
const redeliveryTimeoutMs = 10 * 60_000;
/** Time within which an answer of this worker is recorded. */
const quietMs = 30_000;

export interface DeliveriesContext {
  readonly hooks: Hooks;
  readonly state: SweepState;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether the worker uses an event of this kind, of this repository. */
  readonly isRelevant: (attempt: Pick<DeliveryAttempt, 'event' | 'repositoryId'>) => boolean;
}

/**
 * Reads the deliveries since the last sweep, with some overlap, and requests redelivery of those that failed or
 * that have no record. Returns the number of requests; undefined if this token may not see deliveries.
 */
export async function sweepDeliveries(
  place: HookPlace,
  context: DeliveriesContext,
): Promise<number | undefined> {
  const { hooks, state, clock } = context;
  const name = place.kind === 'app' ? 'app' : `${place.fullName}:${place.hook}`;
  const walk = await state.walk(name);
  const oldest = Math.max(clock.now() - retentionMs, walk.since - overlapMs);
  const seen: DeliveryAttempt[] = [];
  let { cursor, newest } = walk;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await hooks.deliveries(place, cursor);
    if (page === undefined) return undefined;
    if (cursor === '') newest = page.attempts[0]?.at ?? walk.since;
    seen.push(...page.attempts.filter(({ at }) => at >= oldest));
    const reached = page.next === '' || (page.attempts.at(-1)?.at ?? 0) < oldest;
    cursor = reached ? '' : page.next;
    if (reached) break;
  }
  const { requested, rest } = await requestRedeliveries(place, seen, context);
  // The rest is found again: the walk starts again where this one started.
  if (rest) return requested;
  await state.saveWalk(
    name,
    cursor === '' ? { ...walk, since: newest, cursor: '', newest: 0 } : { ...walk, cursor, newest },
  );
  return requested;
}

async function requestRedeliveries(
  place: HookPlace,
  seen: readonly DeliveryAttempt[],
  { hooks, state, clock, logger, isRelevant }: DeliveriesContext,
): Promise<{ readonly requested: number; readonly rest: boolean }> {
  const groups = Map.groupBy(seen.filter(isRelevant), ({ guid }) => guid);
  const recorded = await state.knownDeliveries([...groups.keys()]);
  const born = await state.bornAt(clock.now());
  let requested = 0;
  // Oldest first, in the order of the events.
  for (const [guid, attempts] of [...groups].toReversed()) {
    const [newest] = attempts.toSorted((a, b) => b.at - a.at);
    if (newest === undefined || recorded.has(guid)) continue;
    // It was answered 2xx before our records began (not after a loss: then it may have been lost with them), or
    // so recently that the record is still being written.
    const answered = attempts.some(({ ok }) => ok);
    // Of other events only those that the worker uses are recorded.
    if (answered && newest.event !== 'push') continue;
    if (answered && (newest.at < born || newest.at > clock.now() - quietMs)) continue;
    const before = await state.redeliveryRequest(guid);
    if (!isDue(before, newest, clock.now())) continue;
    if (requested >= maxRedeliveries) return { requested, rest: true };
    // Recorded first: if a worker dies after the request, the next one does not repeat it at once. A worker
    // that was frozen here, and finds another one at work, leaves the request to that one.
    if (!(await state.claim(guid, before, clock.now()))) continue;
    try {
      const taken = await hooks.redeliver(place, newest.id);
      if (!taken) await state.saveRedeliveryRequest(guid, { times: maxRequestsPerDelivery, at: clock.now() });
      logger.info('Redelivery requested.', { delivery_id: guid, event: newest.event, taken });
    } catch (error) {
      if (failureDetails(error).refused) await state.saveRedeliveryRequest(guid, before);
      throw error;
    }
    requested += 1;
  }
  return { requested, rest: false };
}

/** Whether to request a redelivery: once, and again only if it failed too or nothing arrived for long. */
function isDue(before: RedeliveryRequest | undefined, newest: DeliveryAttempt, now: number): boolean {
  if (before === undefined) return true;
  if (before.times >= maxRequestsPerDelivery) return false;
  const timeout = redeliveryTimeoutMs * 2 ** (before.times - 1);
  const failedAgain = newest.redelivery && !newest.ok && newest.at >= before.at - 1_000;
  return now - before.at > (failedAgain ? timeout / 10 : timeout);
}
