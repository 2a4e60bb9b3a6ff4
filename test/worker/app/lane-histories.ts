import type { LaneReads } from '../../../worker/store/lanes/lane-reads.ts';
import type { Admission } from '../../../worker/store/admission.ts';
import type { AdvanceKey, Advances } from '../../../worker/store/advances/advances.ts';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { LaneControl } from '../../../worker/store/lanes/lane-control.ts';
import { promotionTask } from '../store/promotion-task.ts';

export const lane = '77/p/to-test';

export const byHand = (by: string, reason: string) => ({ cause: 'manual', by, reason, since: 0 }) as const;

export async function accept(store: Admission, promotionId: string, policy?: 'latest' | 'every' | 'cancel') {
  const head = { field: `refs/tags/${promotionId}`, value: 'a'.repeat(40) };
  return store.accept({ promotionId, task: promotionTask(promotionId, { policy }), order: 'differs', head });
}

export async function beginAdvance(store: Advances & LaneReads, promotionId: string): Promise<AdvanceKey> {
  const promotion = await store.promotion(promotionId);
  if (promotion === undefined) throw new Error(`no promotion ${promotionId}`);
  const begun = await store.beginAdvance(promotion);
  if ('status' in begun) throw new Error(`the lane is not ${promotionId}’s`);
  return begun.key;
}

export const passed = (version: string) => ({
  outcome: 'passed' as const,
  message: '',
  report: { state: 'success' as const, text: `${version} is live` },
  verified: version,
  state: 'finished' as const,
});

type Act = 'push' | 'finish' | 'fail' | 'hold' | 'release' | 'take-over' | 'cancel';

/** Random histories of a lane, each in a store of its own. */
export async function expectHistories(
  freshStore: () => Admission & Advances & LaneControl & LaneReads,
  runs: { readonly numRuns: number; readonly seed: number },
): Promise<void> {
  const act = fc.constantFrom<Act>(
    'push',
    'push',
    'finish',
    'fail',
    'hold',
    'release',
    'take-over',
    'cancel',
  );
  const policies = fc.constantFrom<'latest' | 'every' | 'cancel'>('latest', 'every', 'cancel');
  await fc.assert(
    fc.asyncProperty(policies, fc.array(act, { minLength: 5, maxLength: 40 }), async (policy, acts) => {
      const store = freshStore();
      let pushes = 0;
      let liveBefore = 0;
      const advances = new Map<string, AdvanceKey>();
      for (const one of [...acts, 'push' as const, 'release' as const]) {
        const active = (await store.lane(lane))?.active;
        if (one === 'push') await accept(store, `r${(pushes += 1)}`, policy);
        if (one === 'hold') await store.hold(lane, byHand('x', 'y'));
        if (one === 'release') await store.resume(lane, 'x');
        if (one === 'cancel') await store.cancel(`r${pushes}`, 'x');
        if (active !== undefined && one === 'take-over')
          advances.set(active, await beginAdvance(store, active));
        if (active !== undefined && (one === 'finish' || one === 'fail')) {
          const advance = await beginAdvance(store, active);
          const stale = advances.get(active);
          // Anyone who was taken over from can end nothing.
          if (stale !== undefined) expect(await store.finish(stale, passed('stale'))).toBeUndefined();
          await store.finish(
            advance,
            one === 'finish' ? passed(active) : { ...passed(active), outcome: 'failed', verified: '' },
          );
        }
        const now = await store.lane(lane);
        const live = now?.verified?.seq ?? 0;
        expect(live).toBeGreaterThanOrEqual(liveBefore);
        liveBefore = live;
        const states = await Promise.all((await store.promotionIds(1_000)).map((id) => store.promotion(id)));
        const running = states.filter((promotion) => promotion?.state === 'active');
        expect(running.length).toBeLessThanOrEqual(1);
        expect(running[0]?.id).toBe(now?.active);
        // No promotion is lost: every queued one is in the queue.
        const queued = states.flatMap((promotion) => (promotion?.state === 'queued' ? [promotion.id] : []));
        expect(new Set(queued)).toEqual(new Set(now?.waiting));
        expect(now?.waiting ?? []).toHaveLength(queued.length);
        if (policy !== 'every') expect(queued.length).toBeLessThanOrEqual(1);
      }
      // Whatever went before: work it off, and the newest is live.
      for (let active = (await store.lane(lane))?.active; active !== undefined;) {
        await store.finish(await beginAdvance(store, active), passed(active));
        active = (await store.lane(lane))?.active;
      }
      const end = await store.lane(lane);
      expect(end?.waiting).toEqual([]);
      expect(end?.verified?.version).toBe(`r${pushes}`);
    }),
    runs,
  );
}
