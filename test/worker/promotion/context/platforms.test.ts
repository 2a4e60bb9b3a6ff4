import { expect, test } from 'vitest';
import { testRedis } from '../../../environment/redis.ts';
import { oneLane } from '../gates/one-lane.ts';
import type { Client, Middleware } from '../../../../client/index.ts';
import type { Platform } from '../../../../worker/promotion/context/ports.ts';
import { createPlatforms } from '../../../../worker/promotion/context/platforms.ts';

const redis = testRedis();

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
          acquire: async () => {},
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

test('a promotion whose credential worker.yaml no longer has waits, says so, and continues when it is back', async () => {
  const lane = await oneLane(redis, {
    lane: { verify: [{ pipeline: 'daily/load', timeout: 60_000, variables: {} }] },
  });
  const credentials = lane.ports.config.credentials as Record<string, unknown>;
  const { platform } = credentials;
  const missing =
    'Waiting: worker.yaml has no credential "platform", which this promotion uses: add it again, or cancel the promotion and push again';
  const promotion = await lane.push('v1.0.0');
  // Before the promotion, and while its execution runs.
  for (const step of ['watch', undefined]) {
    delete credentials['platform'];
    for (let advances = 0; advances < 7; advances += 1)
      expect((await lane.advance(promotion)).report.text).toBe(missing);
    credentials['platform'] = platform;
    if (step !== undefined)
      await expect.poll(async () => (await lane.advance(promotion)).step.name).toBe(step);
  }
  await expect.poll(async () => (await lane.advance(promotion)).outcome).toBe('passed');
});
