import fc from 'fast-check';
import { LaneModel, type ModelAdvance, type Policy } from './lane-model.ts';

/** One action; its numbers choose among what exists by then. */
export type Act =
  | { readonly kind: 'push'; readonly head: number }
  | { readonly kind: 'begin' }
  | { readonly kind: 'effect'; readonly advance: number }
  | { readonly kind: 'finish'; readonly advance: number; readonly end: 'passed' | 'failed' | 'indeterminate' }
  | { readonly kind: 'hold' | 'resume' | 'wake' }
  | { readonly kind: 'cancel'; readonly promotion: number };

export interface History {
  readonly policy: Policy;
  readonly acts: readonly Act[];
}

const kind = <K extends Act['kind']>(name: K) => fc.constant(name);

/** Histories with what makes trouble: the same heads again, turns of others long after, holds in the middle. */
export const histories: fc.Arbitrary<History> = fc.record({
  policy: fc.constantFrom<Policy>('latest', 'every', 'cancel'),
  acts: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: kind('push'), head: fc.nat(5) }) },
      { weight: 4, arbitrary: fc.record({ kind: kind('begin') }) },
      { weight: 3, arbitrary: fc.record({ kind: kind('effect'), advance: fc.nat(3) }) },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: kind('finish'),
          advance: fc.nat(3),
          end: fc.constantFrom('passed' as const, 'failed' as const, 'indeterminate' as const),
        }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('hold', 'resume', 'wake') }) },
      { weight: 1, arbitrary: fc.record({ kind: kind('cancel'), promotion: fc.nat(5) }) },
    ),
    { minLength: 5, maxLength: 40 },
  ),
});

/** The nth newest of the advances. */
export function chosen<T>(from: readonly T[], n: number): T | undefined {
  return from.at(-1 - (n % Math.max(1, from.length)));
}

/** Takes a history through the model alone and throws where a promise breaks. */
export function checkHistory({ policy, acts }: History): void {
  const lane = new LaneModel(policy);
  const advances: ModelAdvance[] = [];
  let pushes = 0;
  for (const act of acts) {
    const before = { live: lane.liveSeq, held: lane.held, effects: effectsOf(lane) };
    takeAct(lane, act, advances, () => `r${(pushes += 1)}`);
    mustKeep(lane, before, policy);
  }
  finish(lane);
}

/** Does one act to the model; gives what it answers. */
export function takeAct(lane: LaneModel, act: Act, advances: ModelAdvance[], nextId: () => string): string {
  switch (act.kind) {
    case 'push':
      return lane.push(nextId(), `head-${act.head}`);
    case 'begin': {
      const advance = lane.begin(lane.active);
      if (advance !== undefined) advances.push(advance);
      return advance === undefined ? 'gone' : String(advance.fence);
    }
    case 'effect': {
      const advance = chosen(advances, act.advance);
      // An advance that finds an effect in the record reads it back and never acts again (promise 6).
      return advance?.mayAct === true && !hasActed(lane, advance) ? lane.effect(advance) : 'not asked';
    }
    case 'finish': {
      const advance = chosen(advances, act.advance);
      return advance === undefined ? 'not asked' : String(lane.finish(advance, act.end));
    }
    case 'cancel':
      return lane.cancel(`r${act.promotion}`);
    case 'hold':
      lane.hold();
      return '';
    case 'resume':
      lane.release();
      return '';
    case 'wake':
      lane.startNext();
      return '';
  }
}

/** An advance knows its own effects. */
function hasActed(lane: LaneModel, { promotion, fence }: ModelAdvance): boolean {
  const found = lane.promotions.get(promotion);
  return found !== undefined && found.fence === fence && found.intent;
}

const effectsOf = (lane: LaneModel): number =>
  [...lane.promotions.values()].reduce((sum, promotion) => sum + promotion.effects, 0);

function mustKeep(
  lane: LaneModel,
  before: { live: number; held: boolean; effects: number },
  policy: Policy,
): void {
  const promotions = [...lane.promotions.values()];
  const active = promotions.filter(({ state }) => state === 'active');
  must(active.length <= 1 && (active[0]?.id ?? '') === lane.active, 'I3: one active promotion at most');
  must(lane.liveSeq >= before.live, 'I4: the live sequence never falls');
  must(
    promotions.every(({ effects }) => effects <= 1),
    'I6: an intent has one effect at most',
  );
  must(!before.held || !lane.held || effectsOf(lane) === before.effects, 'I8: no effect during a hold');
  const queued = promotions.filter(({ state }) => state === 'queued').map(({ id }) => id);
  must(queued.toSorted().join() === lane.queue.toSorted().join(), 'I1: who is queued is in the queue');
  must(policy === 'every' || queued.length <= 1, 'I2: only the newest waits');
  const accepted = promotions.toSorted((a, b) => a.seq - b.seq).map(({ head }) => head);
  must(
    accepted.every((head, i) => i === 0 || head !== accepted[i - 1]),
    'I2: one promotion for one head',
  );
  must(
    lane.active !== '' || lane.held || queued.length === 0,
    'I5: a queued promotion waits only for an active one or a hold',
  );
}

/** Works everything off: the newest is live then (promise 5). */
function finish(lane: LaneModel): void {
  lane.release();
  for (let advance = lane.begin(lane.active); advance !== undefined; advance = lane.begin(lane.active))
    lane.finish(advance, 'passed');
  const left = [...lane.promotions.values()].filter(({ state }) => state !== 'finished');
  must(left.length === 0, 'I5: everything ends');
  const newest = [...lane.promotions.values()].findLast(({ outcome }) => outcome === 'passed');
  must(newest === undefined || newest.seq === lane.liveSeq, 'I5: the newest that passed is live');
}

function must(holds: boolean, sentence: string): void {
  if (!holds) throw new Error(sentence);
}
