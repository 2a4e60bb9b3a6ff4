import { expect, test } from 'vitest';
import { testRedis } from '../environment/redis.ts';
import { laneIdOf, manyRepositories, repositoryEntries } from '../worker/web/dashboard/many-repositories.ts';
import { tokens, withOperators } from '../worker/web/dashboard/operators.ts';
import { quietDashboard } from '../worker/web/dashboard/quiet-dashboard.ts';
import { testBrowser } from './dashboard-environment.ts';

const redis = testRedis();
const browser = testBrowser();
const lanes = 8;

test('the board is filtered by keyboard, and an update keeps what the reader types', async () => {
  const config = withOperators('', repositoryEntries(lanes));
  await using worker = await quietDashboard(redis.connect(), config);
  await manyRepositories(redis.connect(), worker.prefix, lanes, { versions: 2 });
  const page = await browser.open();
  await page.goto(worker.url);
  await page.getByLabel('Operator token').fill(tokens.vera);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'acme/warehouse' }).waitFor();
  expect(await page.locator('.edge').count()).toBe(lanes);

  await page.getByRole('searchbox', { name: 'Search lanes' }).fill('stock');
  await worker.ports.store.hold(laneIdOf(0, 'prod'), {
    cause: 'manual',
    by: 'grace',
    via: 'dashboard',
    reason: 'stock-taking',
    since: Date.now(),
  });
  await page.locator('.notes').getByText('stock-taking').waitFor();
  expect(await page.evaluate('document.activeElement.value')).toBe('stock');
  await page.keyboard.press('Enter');
  await page.waitForURL(/[?&]q=stock(?:&|$)/);
  // acme/stock by its name, acme/warehouse by the reason of its hold.
  expect(await page.locator('.project h2').allInnerTexts()).toEqual(['acme/stock', 'acme/warehouse']);

  await page
    .getByRole('link', { name: /^test live v/ })
    .first()
    .focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Lanes: test, acme/stock', level: 1 }).waitFor();
  await page
    .getByRole('link', { name: /^to-test/ })
    .first()
    .click();
  await page.getByRole('heading', { name: 'to-test', level: 1 }).waitFor();
});

test('on a phone, every filter shows the whole of its first choice', async () => {
  await using worker = await quietDashboard(redis.connect(), withOperators('', repositoryEntries(lanes)));
  await manyRepositories(redis.connect(), worker.prefix, lanes, { versions: 1 });
  const page = await browser.open({ viewport: { width: 390, height: 844 } });
  await page.goto(worker.url);
  await page.getByLabel('Operator token').fill(tokens.vera);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'acme/warehouse' }).waitFor();
  // With this choice only, the browser itself says how wide a list must be for it, with its arrow.
  const missing = `[...document.querySelectorAll('.search select')].map((list) => {
    const shown = list.offsetWidth;
    for (const option of [...list.options].slice(1)) option.remove();
    list.style.cssText = 'flex: none; width: max-content; max-width: none';
    return Math.max(0, list.offsetWidth - shown);
  })`;
  expect(await page.evaluate<number[]>(missing)).toEqual([0, 0]);
});

test.each([
  ['a phone', { width: 390, height: 844 }, 250],
  ['a wide screen', { width: 1280, height: 800 }, 500],
])('on %s, the form of a replay has the width for the cause', async (_, viewport, least) => {
  await using worker = await quietDashboard(redis.connect(), withOperators());
  const cause = 'GitHub answered 502 to GET /repos/acme/warehouse/commits/v1.2.0 in all of 12 attempts';
  const data = { repositoryName: 'acme/warehouse', ref: 'refs/tags/v1.2.0' };
  await worker.ports.deadLetters.add({ id: 'ingest-1', queue: 'ingest', kind: 'exhausted', cause, data });
  const page = await browser.open({ viewport });
  await page.goto(`${worker.url}/dead-letters/ingest-1/replay`);
  await page.getByLabel('Operator token').fill(tokens.root);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Replay: acme/warehouse v1.2.0' }).waitFor();
  const width = `Math.round([...document.querySelectorAll('.facts dd > *, .facts dd')].at(-1).getBoundingClientRect().width)`;
  expect(await page.evaluate<number>(width)).toBeGreaterThan(least);
});

test('an expanded text stays expanded when the page updates', async () => {
  const config = withOperators('', repositoryEntries(lanes));
  await using worker = await quietDashboard(redis.connect(), config);
  await manyRepositories(redis.connect(), worker.prefix, lanes, { versions: 1 });
  const { store } = worker.ports;
  const promotion = 'p-2-test-1';
  for (let i = 0; i < 5; i += 1) await store.noteReport(promotion, 'tag-busy', '');
  const page = await browser.open();
  await page.goto(`${worker.url}/promotions/${promotion}`);
  await page.getByLabel('Operator token').fill(tokens.vera);
  await page.keyboard.press('Enter');
  await page.getByText('5 events, the last: tag busy').click();
  await store.noteReport(promotion, 'taken-over', '');
  await page.getByText('6 events, the last: taken over').waitFor();
  expect(await page.locator('.fall details').getAttribute('open')).toBe('');
});
