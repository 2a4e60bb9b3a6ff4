import { expect, test } from 'vitest';
import type { Client, Middleware } from '../../../client/index.ts';
import type { Platform } from '../../../worker/promotion/engine.ts';
import { createPlatforms } from '../../../worker/promotion/platforms.ts';

interface Opened {
  readonly platform: Platform;
  readonly used: Middleware;
  closed: number;
}

/** Platforms with clients that count their ends, settings and time that a test changes. */
function createTestEnvironment() {
  const opened: Opened[] = [];
  const state = { settings: { token: 'A' }, now: 0 };
  const platforms = createPlatforms({
    settingsOf: () => state.settings,
    open(_, used) {
      const one: Opened = {
        platform: {
          client: {
            close: async () => void (one.closed += 1),
          } as Partial<Client> as Client,
          rateLimiter: {} as Platform['rateLimiter'],
        },
        used,
        closed: 0,
      };
      opened.push(one);
      return one.platform;
    },
    clock: { now: () => state.now, sleep: async () => {} },
  });
  return { platforms, opened, state };
}

test('a client is opened again only when the settings of its credential change', () => {
  const { platforms, state } = createTestEnvironment();
  const first = platforms.platformFor('production');
  state.settings = { token: 'A' };
  expect(platforms.platformFor('production')).toBe(first);
  state.settings = { token: 'B' };
  expect(platforms.platformFor('production')).not.toBe(first);
});

test('a replaced client is closed five minutes after its last attempt', async () => {
  const { platforms, opened, state } = createTestEnvironment();
  platforms.platformFor('production');
  state.settings = { token: 'B' };
  platforms.platformFor('production');
  state.now = 200_000;
  await opened[0]?.used({} as never, async () => ({}) as never, {} as never);
  state.now = 499_999;
  await platforms.closeReplaced();
  expect(opened.map(({ closed }) => closed)).toEqual([0, 0]);
  state.now = 500_000;
  await platforms.closeReplaced();
  await platforms.close();
  expect(opened.map(({ closed }) => closed)).toEqual([1, 1]);
});
