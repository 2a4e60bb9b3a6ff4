import { expect, onTestFinished, test } from 'vitest';
import { startWorker } from '../../worker/app/start-worker.ts';
import { testRedis } from '../environment/redis.ts';
import { manyLanes } from '../worker/web/dashboard/many-lanes.ts';
import { tokens, withOperators } from '../worker/web/dashboard/operators.ts';
import { createWorkerEnvironment } from '../environment/worker/worker-environment.ts';
import { picture, testBrowser } from './dashboard-environment.ts';

const redis = testRedis();
const browser = testBrowser();

/** A worker whose reconciler leaves the lanes as they are. */
async function quietWorker(lanes: number) {
  const env = await createWorkerEnvironment({ lanes: '  []' });
  const options = env.options(redis);
  const settings = { ...options.settings, reconcileMs: 3_600_000 };
  const worker = await startWorker({ ...options, settings, config: withOperators() });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  await manyLanes(redis, env.prefix, lanes);
  return worker;
}

const wide = { width: 1600, height: 1000 };
const narrow = { width: 390, height: 844 };

test.each([0, 50])(
  'with %i lanes nothing is wider than the window, on a wall and on a phone, in light and dark',
  async (lanes) => {
    const worker = await quietWorker(lanes);
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const viewport of [narrow, wide]) {
        const page = await browser.open({ colorScheme, viewport });
        const name = `${lanes}-lanes-${colorScheme}-${viewport.width}`;
        await page.goto(worker.url);
        await picture(page, `sign-in-${colorScheme}-${viewport.width}`);
        await page.fill('#token', tokens.root);
        await page.click('button.go');
        await page.waitForSelector('h1:text("Lanes")');
        await page.waitForSelector('#live-state:text-is("Connected")');
        await picture(page, name);
        const places = ['/promotions', '/deliveries', '/dead-letters', '/audit'];
        if (lanes > 0) {
          for (const lane of ['orders-0-to-test', 'customers-1-to-prod']) {
            await page.goto(worker.url);
            places.push(
              (await page.getByRole('link', { name: lane, exact: true }).getAttribute('href')) ?? '',
            );
          }
          places.push(
            '/promotions/promotion-2-v1.3.0',
            '/promotions/promotion-1-v1.2.0/approve',
            '/promotions/promotion-7-v1.7.0',
          );
        }
        for (const place of ['/', ...places]) {
          await page.goto(`${worker.url}${place}`);
          const [content, window] = await page.evaluate<[number, number]>(
            '[document.documentElement.scrollWidth, innerWidth]',
          );
          const widest = await page.evaluate<string>(
            `[...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth || one.scrollWidth > innerWidth).map((one) => one.outerHTML.slice(0, 200)).slice(0, 3).join(' | ')`,
          );
          expect(content, `${place} at ${viewport.width}: ${widest}`).toBeLessThanOrEqual(window);
          await picture(
            page,
            `${name}${decodeURIComponent(place)
              .replaceAll(/[^\w.]+/g, '-')
              .slice(0, 60)}`,
          );
        }
      }
    }
  },
  120_000,
);
