import type { ChangedSince, PlanFacts, PlannedValue } from '../../records/promotion-plan.ts';
import type { Advance } from '../advance/advance.ts';

/** How many variables a record names. */
const maxNames = 50;

/**
 * Which of the variables have another value in the target than when the live version was promoted, by the plan of that promotion.
 * Undefined if the lane did not promote it, if it had no plan, or if its values are keyed otherwise.
 */
export async function changedSince(
  { promotion, ports }: Pick<Advance, 'promotion' | 'ports'>,
  { live, to, variables }: PlanFacts,
  key: string,
): Promise<ChangedSince | undefined> {
  const { verified } = (await ports.store.lane(promotion.lane)) ?? {};
  if (live === null || verified?.version !== live.version) return undefined;
  const before = (await ports.store.promotion(verified.promotion))?.plan;
  if (before === undefined || before.key !== key || before.facts.to !== to) return undefined;
  const was = new Map(before.facts.variables.map(({ name, to: value }) => [name, value]));
  const both = variables.filter(({ name }) => was.has(name));
  const names = both.filter(({ name, to: value }) => !isSame(was.get(name), value)).map(({ name }) => name);
  return {
    version: live.version,
    compared: both.length,
    count: names.length,
    names: names.slice(0, maxNames),
  };
}

function isSame(a: PlannedValue | undefined, b: PlannedValue): boolean {
  if (a === undefined || a.source === 'none' || b.source === 'none') return a?.source === b.source;
  return a.source === b.source && a.value === b.value;
}
