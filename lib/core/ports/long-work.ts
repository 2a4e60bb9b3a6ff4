import { setImmediate } from 'node:timers/promises';

/** Long work that can pause at each `yield`. */
export type LongWork<Result> = Generator<undefined, Result>;

/** Maximum length of a part in milliseconds. Nobody notices that other work waits this long. */
const turnMs = 10;

/** Does the work without a pause. */
export function atOnce<Result>(work: LongWork<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Does the work in parts, and between them lets the event loop do what waits. */
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

/** `items.map(change)` in parts. */
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

/** How many items, such as rows, are done between two pauses. */
export const itemsOfPart = 256;
