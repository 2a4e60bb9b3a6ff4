import { expect, test } from 'vitest';
import { atOnce, inTurns, mapInParts, type LongWork } from '../../../../lib/core/ports/long-work.ts';

test('long work lets other work run before it ends', async () => {
  const other = { hasRun: false };
  setImmediate(() => {
    other.hasRun = true;
  });
  function* untilOtherWorkRuns(): LongWork<string> {
    while (!other.hasRun) yield;
    return 'done';
  }
  await expect(inTurns(untilOtherWorkRuns())).resolves.toBe('done');
});

test('a list has the same result in parts as at once', async () => {
  const items = Array.from({ length: 1000 }, (_, index) => index);
  const work = () => mapInParts(items, (item, index) => item + index);
  const expected = items.map((item) => 2 * item);
  expect(atOnce(work())).toEqual(expected);
  await expect(inTurns(work())).resolves.toEqual(expected);
  expect([...work()].length).toBeGreaterThan(1);
});

test('an error ends the work', async () => {
  function* failing(): LongWork<never> {
    yield;
    throw new Error('no more');
  }
  await expect(inTurns(failing())).rejects.toThrow('no more');
  expect(() => atOnce(failing())).toThrow('no more');
});
