import { expect, test } from 'vitest';
import { testRedis } from '../environment/redis.ts';
import { manyLanes } from '../worker/web/dashboard/many-lanes.ts';
import {
  laneIdOf,
  manyRepositories,
  repositoryEntries,
  repositoryNameOf,
} from '../worker/web/dashboard/many-repositories.ts';
import { tokens, withOperators } from '../worker/web/dashboard/operators.ts';
import { quietDashboard } from '../worker/web/dashboard/quiet-dashboard.ts';
import { picture, testBrowser } from './dashboard-environment.ts';
import { expectAccessible } from './expect-accessible.ts';

const redis = testRedis();
const browser = testBrowser();

const phone = { width: 390, height: 844 };
const looks = (
  [
    ['light', { width: 1600, height: 1000 }],
    ['dark', { width: 1280, height: 800 }],
    ['light', phone],
    ['dark', phone],
  ] as const
).map(([colorScheme, viewport]) => ({ colorScheme, viewport, name: `${colorScheme}-${viewport.width}` }));

/** The elements whose content is wider than they are, and shown beside or over something else. */
const protruding = `[...document.querySelectorAll('main *')]
  .filter((one) => {
    const { display, overflowX } = getComputedStyle(one);
    return display !== 'inline' && overflowX === 'visible' && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1;
  })
  .map((one) => one.outerHTML.slice(0, 200))
  .slice(0, 3)`;

const repository = encodeURIComponent(repositoryNameOf(1));
const always = ['/', '/?view=table', '/promotions', '/deliveries', '/dead-letters', '/audit', '/nothing'];
const few = [`/lanes/${encodeURIComponent(laneIdOf(0, 'test'))}`, '/promotions/p-0-test-2'];
const filled = [
  `/?repository=${repository}`,
  `/?repository=${repository}&environment=prod&view=table`,
  '/?show=needs-you',
  '/?q=nothing%20fits',
  `/lanes/${encodeURIComponent(laneIdOf(0, 'test'))}`,
  `/lanes/${encodeURIComponent(laneIdOf(0, 'prod'))}`,
  '/promotions/p-0-test-2',
  '/promotions/p-0-test-3',
  '/promotions/p-1-prod-6',
  '/promotions/p-2-test-6',
  '/promotions/p-1-prod-6/approve',
  `/lanes/${encodeURIComponent(laneIdOf(0, 'test'))}/promote`,
  '/pause',
];
const hostile = [
  '/',
  '/?view=table',
  '/promotions',
  '/promotions/promotion-7-v1.7.0',
  '/promotions/promotion-1-v1.2.0/approve',
  '/bulk/resume',
];

test.each([
  ['no lanes', 0, async () => undefined, always],
  ['1 lane', 1, (prefix: string) => manyRepositories(redis.connect(), prefix, 1), [...always, ...few]],
  ['50 lanes', 50, (prefix: string) => manyRepositories(redis.connect(), prefix, 50), [...always, ...filled]],
  [
    '1000 lanes',
    1_000,
    (prefix: string) => manyRepositories(redis.connect(), prefix, 1_000, { versions: 1 }),
    ['/', '/?page=7&view=table'],
  ],
  ['50 lanes with hostile names', 0, (prefix: string) => manyLanes(redis, prefix, 50), hostile],
] as const)(
  'with %s every page fits the window, nothing sticks out of its box, and axe finds nothing, wide and narrow',
  async (title, lanes, fill, places) => {
    const config = withOperators('', repositoryEntries(lanes));
    await using worker = await quietDashboard(redis.connect(), config);
    await fill(worker.prefix);
    for (const { name, ...look } of looks) {
      const page = await browser.open(look);
      await page.goto(worker.url);
      await picture(page, `sign-in-${name}`);
      await page.fill('#token', tokens.root);
      await page.click('button.go');
      await page.waitForSelector('#live-state:text-is("Connected")');
      for (const place of places) {
        await page.goto(`${worker.url}${place}`);
        const what = `${title} ${place} ${name}`;
        const [content, window] = await page.evaluate<[number, number]>(
          '[document.documentElement.scrollWidth, innerWidth]',
        );
        const widest = await page.evaluate<string>(
          `[...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth || one.scrollWidth > innerWidth).map((one) => one.outerHTML.slice(0, 200)).slice(0, 3).join(' | ')`,
        );
        expect.soft(content, `${what}: ${widest}`).toBeLessThanOrEqual(window);
        expect.soft(await page.evaluate<string[]>(protruding), what).toEqual([]);
        await picture(page, what.replaceAll('%20', ' ').replaceAll(/[^\w.]+/g, '-'));
        await expectAccessible(page, what);
      }
      // Before the worker ends: its live updates would fail.
      await page.context().close();
    }
  },
  180_000,
);
