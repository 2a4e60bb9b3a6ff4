import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { keysUnder } from '../../../../worker/store/scripts/keys.ts';
import type { AdvanceKey } from '../../../../worker/store/advances/advances.ts';
import { createLaneStore, type LaneStore } from '../../../../worker/app/lane-store.ts';
import { type Act, chosen, histories, type History, takeAct } from '../../model/histories.ts';
import { LaneModel, type LaneView, type ModelAdvance, type Policy } from '../../model/lane-model.ts';
import { inThread } from '../../environment/in-thread.ts';
import { type RedisServer, startRedisServer } from '../../environment/redis-server.ts';
import { mustHold, type Trial } from '../../trial.ts';
import { promotionTask } from '../../../worker/store/promotion-task.ts';

const lane = 'lane';
const hold = { cause: 'manual', by: 'x', reason: 'y', since: 0 } as const;

export const laneHistories: Trial = {
  id: 'T18',
  title: 'Random histories of a lane, on a model and on the real Lua scripts',
  criterion:
    'the invariants I1 to I6 and I8 hold in every history; the Lua scripts give the answers and states of the model',
  async run({ form, scale, random }) {
    const onModel = form === 'short' ? 5_000 : Math.round(1_000_000 * scale);
    const onLua = form === 'short' ? 100 : Math.round(2_000 * scale);
    const seed = random.below(2 ** 31);
    const counted = inThread<number>(new URL('../../model/check-many.ts', import.meta.url), {
      count: onModel,
      seed,
    });
    await using server = await startRedisServer();
    const compared = fc.assert(
      fc.asyncProperty(histories, (history) => compare(server, history)),
      { numRuns: onLua, seed },
    );
    const [checked] = await Promise.all([counted, compared]);
    return { 'histories on the model': checked, 'histories on the real Lua': onLua, 'fast-check seed': seed };
  },
};

/** Takes a history through both; throws where they differ. */
async function compare({ redis }: RedisServer, { policy, acts }: History): Promise<void> {
  const keys = keysUnder(`{h-${randomUUID()}}`);
  await redis.set(keys.state, 'new');
  const store = createLaneStore(redis, keys, systemClock);
  const model = new LaneModel(policy);
  const modelAdvances: ModelAdvance[] = [];
  const advances: AdvanceKey[] = [];
  let pushes = 0;
  for (const [i, act] of acts.entries()) {
    let id = '';
    const asked = { modelAdvances: [...modelAdvances], active: model.active };
    const expected = takeAct(model, act, modelAdvances, () => (id = `r${(pushes += 1)}`));
    if (expected === 'not asked') continue;
    const answered = await really(store, act, { id, policy, advances, ...asked });
    mustHold(
      answered === expected || act.kind === 'hold' || act.kind === 'resume' || act.kind === 'wake',
      `act ${i}, ${JSON.stringify(act)}: the Lua says ${answered}, the model ${expected}`,
    );
    const [real, wanted] = [JSON.stringify(await viewOf(store)), JSON.stringify(model.view)];
    mustHold(
      pushes === 0 || real === wanted,
      `after act ${i}, ${JSON.stringify(act)}: ${real}, not ${wanted}`,
    );
  }
}

interface Asked {
  readonly id: string;
  readonly policy: Policy;
  readonly advances: AdvanceKey[];
  readonly active: string;
}

async function really(store: LaneStore, act: Act, { id, policy, advances, active }: Asked): Promise<string> {
  switch (act.kind) {
    case 'push': {
      const head = { field: 'refs/heads/main', value: `head-${act.head}` };
      return (
        await store.accept({
          promotionId: id,
          task: promotionTask(id, { id: lane, policy, ref: 'refs/heads/main' }),
          order: 'differs',
          head,
        })
      ).status;
    }
    case 'begin': {
      const promotion = await store.promotion(active);
      const begun =
        promotion === undefined ? { status: 'queued' as const } : await store.beginAdvance(promotion);
      if ('status' in begun) return 'gone';
      advances.push(begun.key);
      return begun.key.fence;
    }
    case 'effect': {
      const advance = chosen(advances, act.advance);
      if (advance === undefined) return 'not asked';
      return (await store.record(advance, { kind: 'effect', what: 'intend', fields: { intent: '{}' } }))
        .status;
    }
    case 'finish': {
      const advance = chosen(advances, act.advance);
      if (advance === undefined) return 'not asked';
      const held = act.end === 'indeterminate' ? { hold } : {};
      const verified = act.end === 'passed' ? { verified: advance.promotion } : {};
      const finished = await store.finish(advance, {
        outcome: act.end,
        message: '',
        report: { state: 'success', text: act.end },
        state: 'finished',
        ...held,
        ...verified,
      });
      return String(finished !== undefined);
    }
    case 'cancel':
      return store.cancel(`r${act.promotion}`, 'x');
    case 'hold':
      return store.hold(lane, hold);
    case 'resume':
      return (await store.resume(lane, 'x')).status;
    case 'wake':
      return (await store.wake([lane]))[0] ?? '';
  }
}

async function viewOf(store: LaneStore): Promise<LaneView> {
  const found = await store.lane(lane);
  return {
    seq: found?.seq ?? 0,
    active: found?.active ?? '',
    waiting: found?.waiting ?? [],
    liveSeq: found?.verified?.seq ?? 0,
    held: (found?.holds ?? []).length > 0,
  };
}
