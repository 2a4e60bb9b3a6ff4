import type { PromotionRecord } from '../../../worker/records/promotion-record.ts';
import type { TrialEnvironment } from './trial-environment.ts';
import { untilReached } from './until.ts';

/** All promotions that there are, oldest first. */
export async function promotionsIn({ store }: TrialEnvironment): Promise<PromotionRecord[]> {
  const promotions = await Promise.all((await store.promotionIds(100_000)).map((id) => store.promotion(id)));
  return promotions.filter((promotion) => promotion !== undefined).toReversed();
}

/** Waits until every promotion is finished and reported. @param stillMs time during which nothing may change */
export async function untilQuiet(env: TrialEnvironment, stillMs = 60_000): Promise<void> {
  await untilReached(
    'every promotion is over and reported',
    async () => {
      const [open, all] = await Promise.all([env.store.openIds(), env.store.promotionIds(100_000)]);
      return open.length === 0 || `${all.length} runs, of which ${open.join(' ')}`;
    },
    stillMs,
  );
}

/** Resumes every held lane, as an operator does. Gives their number. */
export async function releaseAll(
  env: TrialEnvironment,
  ask: (path: string, body: unknown) => Promise<unknown>,
): Promise<number> {
  let released = 0;
  for (const id of await env.store.laneIds()) {
    const holds = ((await env.store.lane(id))?.holds ?? []).map((hold) => hold.id);
    if (holds.length === 0) continue;
    await ask(`lanes/${encodeURIComponent(id)}/resume`, { holds });
    released += 1;
  }
  return released;
}
