import type { Admission } from '../../../store/admission.ts';
import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type { Policy, Queues, Records, Timing } from '../../../promotion/context/ports.ts';
import type { LaneControl } from '../../../store/lanes/lane-control.ts';
import { retryIdOf, retryPromotion, whyRetryGoesBack } from '../../../promotion/admission/retry-promotion.ts';
import { nameOf, repositoryOf } from '../../../store/lanes/lane-id.ts';
import { hasRole, mayTouch } from '../../../operators/operator.ts';
import { type ApiAnswer, conflict, forbidden, ok, unknown, laneChanged, recordsLost } from './answers.ts';
import type { ApiCall } from './api-call.ts';
import { describeHistory } from './describe-history.ts';
import { describePromotion, type ShownPromotion } from './describe-promotion.ts';

/** The newest promotions of the operator's repositories, or of one lane (id or name). */
export async function promotionsOf(
  {
    operator,
    ports,
  }: Pick<ApiCall<Records<LaneReads> & Pick<Policy, 'config'> & Pick<Timing, 'clock'>>, 'operator' | 'ports'>,
  lane: string | null,
  limit: number,
): Promise<readonly ShownPromotion[]> {
  const { store } = ports;
  const ids =
    lane === null && operator.repositories === 'all'
      ? await store.promotionIds(limit)
      : await store.promotionIdsOf(await lanesFor(operator, lane, ports), limit);
  const promotions = await Promise.all(ids.map((id) => store.promotion(id)));
  const theirs = promotions
    .filter((promotion) => promotion !== undefined)
    .filter((promotion) => mayTouch(operator, promotion.task.repository.id));
  const names = [...new Set(theirs.map((promotion) => promotion.lane))];
  const lanes = new Map(await Promise.all(names.map(async (id) => [id, await store.lane(id)] as const)));
  return theirs.map((promotion) => describePromotion(promotion, lanes.get(promotion.lane), ports));
}

/** The operator's lanes; the lanes with an id or a name if one is given. */
async function lanesFor(
  operator: ApiCall['operator'],
  lane: string | null,
  { store }: Records<LaneReads>,
): Promise<readonly string[]> {
  const ids = (await store.laneIds()).filter((id) => mayTouch(operator, repositoryOf(id)));
  return lane === null ? ids : ids.filter((id) => id === lane || nameOf(id) === lane);
}

/** One promotion with its history. */
export async function showPromotion({
  id,
  ports,
}: ApiCall<Records<LaneReads> & Pick<Policy, 'config'> & Pick<Timing, 'clock'>>): Promise<ApiAnswer> {
  const promotion = await ports.store.promotion(id);
  if (promotion === undefined) return unknown();
  const history = describeHistory(await ports.store.history({ promotion: id }));
  const lane = await ports.store.lane(promotion.lane);
  return ok({ ...describePromotion(promotion, lane, ports), history });
}

/** Cancels a promotion, and terminates its execution on the platform. */
export async function cancelPromotion({
  id,
  operator,
  via,
  ports,
}: ApiCall<Records<LaneControl & LaneReads> & Queues>): Promise<ApiAnswer> {
  const { store, queues } = ports;
  const status = await store.cancel(id, operator.name, { via });
  if (status === 'unknown') return unknown();
  if (status === 'over') return conflict('the promotion has ended');
  const promotion = await store.promotion(id);
  if (status === 'requested') await queues.expediteAdvance(id);
  else if (promotion !== undefined) await queues.addReport(id, promotion.report.seq);
  return ok({ promotion: id, status }, 202);
}

/**
 * Creates a new promotion of the same commit. It passes all gates again, without the old approvals. If the retry
 * could take the target back, only an admin may do it. `expectedSeq`: create it only if the lane's sequence number
 * is still this one.
 */
export async function retry(
  { id, operator, via, ports }: ApiCall<Records<Admission & LaneReads> & Queues>,
  expectedSeq?: number,
): Promise<ApiAnswer> {
  const promotion = await ports.store.promotion(id);
  const lane = promotion && (await ports.store.lane(promotion.lane));
  const isAdmin = hasRole(operator, 'admin');
  const goesBack = promotion && whyRetryGoesBack(promotion, lane);
  if (promotion && goesBack !== undefined && !isAdmin) {
    const retryId = retryIdOf(promotion);
    return (await ports.store.promotion(retryId)) === undefined
      ? forbidden(needsAdmin(goesBack, operator.name))
      : conflict(retriedBefore(retryId));
  }
  const who = { by: operator.name, via, githubId: operator.github?.id };
  // What the lane accepts after this check is newer.
  const seq = expectedSeq ?? (isAdmin ? undefined : lane?.seq);
  const limit = seq === undefined ? {} : { expectedSeq: seq };
  const retried = await retryPromotion(id, { ...who, ...limit }, ports);
  switch (retried.status) {
    case 'retried':
      return ok({ promotion: retried.promotion, retryOf: id }, 202);
    case 'unknown':
      return unknown();
    case 'not-finished':
      return conflict('the promotion has not ended; cancel it, or wait for its end');
    case 'changed':
      return conflict(laneChanged);
    case 'lost':
      return conflict(recordsLost);
    case 'retried-before':
      return conflict(retriedBefore(retried.promotion));
  }
}

function needsAdmin(goesBack: Exclude<ReturnType<typeof whyRetryGoesBack>, undefined>, name: string): string {
  const why =
    goesBack === 'requested'
      ? 'a person requested this promotion'
      : `the lane has accepted a newer promotion, ${goesBack.newer}`;
  return `${why}, so retrying this one needs the role admin, which ${name} lacks`;
}

function retriedBefore(by: string): string {
  return `the promotion was retried before: retry ${by}`;
}
