import { expect, test } from 'vitest';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';

test('a sleep of more than 24.8 days, the longest of a timer, does not end at once', async () => {
  const controller = new AbortController();
  const long = systemClock.sleep(2 ** 31 + 1, controller.signal).then(() => 'the long sleep ended');
  const short = systemClock.sleep(30).then(() => 'the short sleep ended');
  expect(await Promise.race([long, short])).toBe('the short sleep ended');
  controller.abort(new Error('enough'));
  await expect(long).rejects.toThrow('enough');
});
