import { medianOf } from '../../../../flows/metrics/delivery-metrics.ts';
import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type { Records } from '../../../promotion/context/ports.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';
import { type Phase, phasesOf } from './phases.ts';

/** The usual durations with which a promotion is compared. */
export interface Usual {
  /** Median durations by the names of phases, in milliseconds. */
  readonly usual: ReadonlyMap<string, number>;
  /** Number of promotions that the medians are of. */
  readonly compared: number;
}

/** How many earlier promotions of the lane the comparison uses. */
export const comparedPromotions = 10;

/** Newest promotions of the lane that are searched for them. */
const searched = 40;

/** Computes the usual durations in a lane, from the last ten promotions that passed before this one. */
export async function readUsual(promotion: PromotionRecord, { store }: Records<LaneReads>): Promise<Usual> {
  const ids = await store.promotionIdsOf([promotion.lane], searched);
  const promotions = await Promise.all(ids.map((id) => store.promotion(id)));
  const earlier = promotions
    .filter((candidate) => candidate !== undefined)
    .filter(({ outcome, seq }) => outcome === 'passed' && seq < promotion.seq)
    .slice(0, comparedPromotions);
  const phases = await Promise.all(
    earlier.map(async (passed) => phasesOf(passed, await store.history({ promotion: passed.id }))),
  );
  return { usual: usualDurations(phases), compared: earlier.length };
}

/** The median duration of each phase, computed from phases that ended well. */
export function usualDurations(promotions: readonly (readonly Phase[])[]): ReadonlyMap<string, number> {
  const durations = promotions
    .flat()
    .flatMap(({ name, from, to, end }) =>
      to === undefined || end !== 'done' ? [] : [{ name, ms: to - from }],
    );
  const byName = Map.groupBy(durations, ({ name }) => name);
  return new Map([...byName].map(([name, all]) => [name, medianOf(all.map(({ ms }) => ms)) ?? 0]));
}
