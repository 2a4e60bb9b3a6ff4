import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type { Policy, Records, Timing } from '../../../promotion/context/ports.ts';
import { type ApiAnswer, ok } from './answers.ts';
import { type ApiCall, limitOf } from './api-call.ts';
import type { ShownPromotion } from './describe-promotion.ts';
import { promotionsOf } from './promotions.ts';

/** How many of the newest promotions are searched. */
export const searchedPromotions = 500;

const maxQueryLength = 200;

/** More promotions than a person reads at once. */
const maxPromotions = 200;

/**
 * The newest promotions; only of one lane if `lane` (id or name) is given, and only those that contain all words of
 * `q`.
 */
export async function listPromotions(
  call: ApiCall<Records<LaneReads> & Pick<Policy, 'config'> & Pick<Timing, 'clock'>>,
): Promise<ApiAnswer> {
  const promotions = await findPromotions(call, call.query.get('lane'), limitOf(call, maxPromotions));
  return ok({ promotions });
}

/** The words of the search in a query; empty without a search. */
export function searchWords(query: URLSearchParams): readonly string[] {
  const text = (query.get('q') ?? '').slice(0, maxQueryLength).toLowerCase();
  return text.split(/\s+/).filter((word) => word !== '');
}

/**
 * Finds, among the newest 500 promotions of the operator's repositories, those that contain all words; only of one
 * lane if it is given (id or name). Without words, returns the newest promotions.
 */
export async function findPromotions(
  call: Pick<
    ApiCall<Records<LaneReads> & Pick<Policy, 'config'> & Pick<Timing, 'clock'>>,
    'operator' | 'ports' | 'query'
  >,
  lane: string | null,
  limit: number,
): Promise<readonly ShownPromotion[]> {
  const words = searchWords(call.query);
  if (words.length === 0) return promotionsOf(call, lane, limit);
  const promotions = await promotionsOf(call, lane, searchedPromotions);
  const fits = (promotion: ShownPromotion): boolean => {
    const text = textOf(promotion).toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return promotions.filter(fits).slice(0, limit);
}

/** Everything that a person may search a promotion by. */
function textOf(promotion: ShownPromotion): string {
  const { approvals, override, request, rejection, rolledBack } = promotion;
  return [
    promotion.id,
    promotion.version,
    promotion.commit,
    promotion.ref,
    promotion.repository,
    promotion.laneName,
    promotion.from,
    promotion.to,
    promotion.pusher,
    promotion.state,
    promotion.outcome,
    promotion.waitsFor,
    promotion.message,
    promotion.status,
    promotion.executionId,
    ...(approvals?.given ?? []),
    ...[override, request, rejection, rolledBack].flatMap((decision) =>
      decision ? [decision.by, decision.reason] : [],
    ),
    ...(rejection === null ? [] : ['rejected']),
    ...(rolledBack === null ? [] : ['rolled back']),
  ].join('\n');
}
