import { setImmediate } from 'node:timers/promises';

/** Long work that can pause at each `yield`. */
export type LongWork<Result> = Generator<undefined, Result>;

/** Maximum length of a part in milliseconds. Nobody notices that other work waits this long. */
const turnMs = 10;

/** Does the work without pauses. */
export function atOnce<Result>(work: LongWork<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Does the work in parts. Between the parts, the event loop can do other work. */
export async function inTurns<Result>(work: LongWork<Result>): Promise<Result> {
  let end = performance.now() + turnMs;
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() < end) continue;
    await setImmediate();
    end = performance.now() + turnMs;
  }
}

/** Like `items.map(change)`, but in parts. */
export function* mapInParts<Item, Result>(
  items: readonly Item[],
  change: (item: Item, index: number) => Result,
): LongWork<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    results.push(change(item, index));
    if (index % itemsOfPart === 0) yield;
  }
  return results;
}

/** The number of items, such as rows, between two pauses. */
export const itemsOfPart = 256;
