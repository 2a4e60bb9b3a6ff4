import { describe, expect, test } from 'vitest';
import { manualClock } from './clock.ts';

describe('the manual clock', () => {
  test('wakes sleepers by time, then in the order of their sleeps, and lets each continue before time moves', async () => {
    const clock = manualClock(0);
    const woken: [string, number][] = [];
    const sleeper = async (name: string, ...times: number[]) => {
      for (const ms of times) {
        await clock.sleep(ms);
        woken.push([name, clock.now()]);
      }
    };
    void sleeper('late', 30);
    void sleeper('often', 10, 10, 10);
    void sleeper('also', 10);
    await clock.advance(25);
    expect(woken).toEqual([
      ['often', 10],
      ['also', 10],
      ['often', 20],
    ]);
    expect(clock.now()).toBe(25);
    expect(clock.sleepers).toBe(2);
    await clock.advance(5);
    expect(woken.slice(3)).toEqual([
      ['late', 30],
      ['often', 30],
    ]);
  });

  test('an aborted sleep rejects with the signal’s reason and does not wake later', async () => {
    const clock = manualClock(0);
    const controller = new AbortController();
    const sleep = clock.sleep(10, controller.signal);
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(sleep).rejects.toBe(reason);
    await expect(clock.sleep(10, controller.signal)).rejects.toBe(reason);
    expect(clock.sleepers).toBe(0);
  });

  test('asleep resolves as soon as enough are asleep', async () => {
    const clock = manualClock(0);
    let seen = false;
    const watching = clock.asleep(2).then(() => (seen = true));
    void clock.sleep(1);
    await clock.advance(0);
    expect(seen).toBe(false);
    void clock.sleep(1);
    await watching;
    expect(seen).toBe(true);
  });
});
