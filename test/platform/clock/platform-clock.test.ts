import { expect, test } from 'vitest';
import { createPlatformClock } from '../../../platform/clock/platform-clock.ts';
import { manualClock } from '../../environment/clock.ts';

const start = Date.UTC(2031, 0, 1, 12);
const made = () => {
  const inner = manualClock(start);
  return { inner, clock: createPlatformClock(inner) };
};

/** Notes what a sleeper does and when. */
function noting(clock: ReturnType<typeof createPlatformClock>) {
  const notes: string[] = [];
  return {
    notes,
    async sleepAgain(name: string, ms: number, times: number) {
      for (let i = 0; i < times; i += 1) {
        await clock.sleep(ms);
        notes.push(`${name} ${String(clock.now() - start)}`);
      }
    },
  };
}

test('it runs with the underlying clock until a caller changes it', async () => {
  const { inner, clock } = made();
  const { notes, sleepAgain } = noting(clock);
  void sleepAgain('a', 100, 2);
  await inner.advance(150);
  expect(clock.now()).toBe(start + 150);
  expect(notes).toEqual(['a 100']);
  await inner.advance(50);
  expect(notes).toEqual(['a 100', 'a 200']);
});

test('a frozen clock wakes no sleeper, and continues from the same time when it is resumed', async () => {
  const { inner, clock } = made();
  const { notes, sleepAgain } = noting(clock);
  void sleepAgain('a', 100, 1);
  await inner.advance(40);
  clock.freeze();
  await inner.advance(10_000);
  expect(clock.now()).toBe(start + 40);
  expect(notes).toEqual([]);
  clock.resume();
  await inner.advance(59);
  expect(notes).toEqual([]);
  await inner.advance(1);
  expect(notes).toEqual(['a 100']);
});

test.each([true, false])(
  'moving on wakes sleepers in the order of their time (frozen: %s)',
  async (frozen) => {
    const { inner, clock } = made();
    if (frozen) clock.freeze();
    const { notes, sleepAgain } = noting(clock);
    void sleepAgain('a', 100, 3);
    void sleepAgain('b', 70, 3);
    await clock.advance(250);
    expect(notes).toEqual(['b 70', 'a 100', 'b 140', 'a 200', 'b 210']);
    expect(clock.now()).toBe(start + 250);
    expect(clock.ahead).toBe(250);
    await inner.advance(50);
    expect(notes.slice(5)).toEqual(frozen ? [] : ['a 300']);
  },
);

test('moves that are asked for at the same time happen one after the other', async () => {
  const { clock } = made();
  const { notes, sleepAgain } = noting(clock);
  void sleepAgain('a', 100, 3);
  await Promise.all([clock.advance(150), clock.advance(150)]);
  expect(notes).toEqual(['a 100', 'a 200', 'a 300']);
  expect(clock.now()).toBe(start + 300);
});

test('an aborted sleep rejects with the reason, also while the clock is frozen', async () => {
  const { inner, clock } = made();
  const stop = new AbortController();
  clock.freeze();
  const slept = clock.sleep(100, stop.signal);
  stop.abort(new Error('enough'));
  await expect(slept).rejects.toThrow('enough');
  await expect(clock.sleep(1, stop.signal)).rejects.toThrow('enough');
  expect(inner.sleepers).toBe(0);
});

test('a move waits for those who let others have their turn in between', async () => {
  const { clock } = made();
  const notes: number[] = [];
  void (async () => {
    for (let i = 0; i < 5; i += 1) {
      await clock.sleep(0);
      await new Promise((resolve) => void setImmediate(resolve));
      await clock.sleep(10);
      notes.push(clock.now() - start);
    }
  })();
  await clock.sleep(0);
  await clock.advance(10);
  await clock.advance(40);
  expect(notes.at(0)).toBeGreaterThanOrEqual(10);
});

test('reset wakes all sleepers and returns to the underlying clock', async () => {
  const { inner, clock } = made();
  await clock.advance(5000);
  clock.freeze();
  const slept = clock.sleep(100_000);
  clock.reset();
  await slept;
  expect([clock.now(), clock.frozen, clock.ahead]).toEqual([start, false, 0]);
  await inner.advance(5);
  expect(clock.now()).toBe(start + 5);
});

test('who sleeps longer than a timer of the machine can wait sleeps it all', async () => {
  const { inner, clock } = made();
  const asked: number[] = [];
  const day = 86_400_000;
  const watched = createPlatformClock({
    now: inner.now,
    sleep: (ms, signal) => {
      asked.push(ms);
      return inner.sleep(ms, signal);
    },
  });
  const { notes, sleepAgain } = noting(watched);
  void sleepAgain('a', 60 * day, 1);
  await inner.advance(59 * day);
  expect(notes).toEqual([]);
  await inner.advance(day);
  expect(notes).toEqual([`a ${String(60 * day)}`]);
  expect(Math.max(...asked)).toBeLessThan(2 ** 31);
  expect(clock.now()).toBe(start + 60 * day);
});
