import { expect, test } from 'vitest';
import { defaultSeed, startPlatform } from '../../platform/index.ts';
import { orchestration } from '../environment/orchestration.ts';

import { appearanceOf } from './appearance-of.ts';
import { expectAccessible } from './expect-accessible.ts';
import { openBrowser } from './open-browser.ts';

/** A platform on which something happened: versions, an execution, a refusal, a fault. */
async function busyPlatform() {
  const platform = await startPlatform();
  const headers = { authorization: `Bearer ${platform.tokens.superAdmin}` };
  const project = `${platform.baseUrl}/v1/projects/${platform.projectId}`;
  const post = (url: string, body: unknown) =>
    fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const form = new FormData();
  form.append('daily/load.orch.yaml', new Blob([orchestration]), 'load');
  await fetch(`${project}/artifacts`, {
    method: 'POST',
    headers: { ...headers, versionName: '1.0.0', environmentName: 'dev', commitHash: 'abc' },
    body: form,
  });
  await post(`${project}/pipeline-executions`, { pipelineName: 'daily/load', environmentName: 'dev' });
  await platform.clock.advance('1m');
  await post(`${project}/variables`, { name: 'day', password: 'hunter2' });
  platform.faults.set([{ operation: 'projects.list', status: 503, times: 1 }]);
  await fetch(`${platform.baseUrl}/v1/projects`, { headers });
  return platform;
}

const phoneWidth = 390;
/** Lists and texts that a reader would have to move sideways. */
const sideways = `[...document.querySelectorAll('main *')]
  .filter((one) => getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.outerHTML.slice(0, 100))`;

const settings = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: phoneWidth },
  { colorScheme: 'dark', width: phoneWidth },
] as const;

test.each(settings)(
  'every page can be read: $colorScheme, $width pixels wide',
  async ({ colorScheme, width }) => {
    await using platform = await busyPlatform();
    await using browser = await openBrowser({ colorScheme, viewport: { width, height: 800 } });
    const { page, complaints } = browser;
    for (const path of [
      '',
      '/requests',
      '/executions',
      '/streaming',
      '/versions',
      '/audit',
      '/ledger',
      '/faults',
      '/clock',
    ]) {
      await page.goto(`${platform.baseUrl}/_platform${path}`);
      const { contrast, text, over } = await appearanceOf(page);
      expect.soft(contrast, `${path}: ${text}`).toBeGreaterThanOrEqual(4.5);
      expect.soft(over, `${path} is wider than the window`).toBeLessThanOrEqual(0);
      if (width === phoneWidth)
        expect.soft(await page.evaluate<string[]>(sideways), `${path} scrolls sideways`).toEqual([]);
      expect.soft(await page.locator('h1').count(), path).toBe(1);
      expect.soft(await page.locator('table:not(:has(caption))').count(), path).toBe(0);
      expect.soft(await page.locator('header a[aria-current=page]').count(), path).toBe(1);
    }
    for (const path of ['/requests', '/executions', '/faults', '/clock']) {
      await page.goto(`${platform.baseUrl}/_platform${path}`);
      await expectAccessible(page, path);
    }
    expect(complaints).toEqual([]);
  },
);

test('the tables of an environment and the rows of one fit a phone', async () => {
  const name = 'A_TABLE_WITH_A_NAME_THAT_IS_LONGER_THAN_A_PHONE_IS_WIDE';
  const row = { A_COLUMN: 1, NOTE: 'a_value_without_a_space_that_is_longer_than_a_phone_is_wide' };
  const seed = {
    ...defaultSeed,
    settings: { execution: 'engine' as const },
    tables: [{ name, rows: [row] }],
  };
  await using platform = await startPlatform({ seed });
  await using browser = await openBrowser({ viewport: { width: phoneWidth, height: 800 } });
  const { page, complaints } = browser;
  await page.goto(`${platform.baseUrl}/_platform/tables`);
  await page.getByRole('link', { name: 'dev', exact: true }).click();
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 2, name }).waitFor();
  const { contrast, text, over } = await appearanceOf(page);
  expect(contrast, text).toBeGreaterThanOrEqual(4.5);
  expect(over).toBeLessThanOrEqual(0);
  await expectAccessible(page, 'tables');
  expect(complaints).toEqual([]);
});

test('a sample names all of its columns on a phone, and breaks no time on a wide screen', async () => {
  const time = '2026-11-27 23:59:59.123';
  const times = Array.from({ length: 9 }, (_, i) => [`CHANGED_AT_${String(i)}`, time] as const);
  const note = 'asked to be called back before noon, because the delivery of the large order was late';
  const row = { CUSTOMER_ID: 'c1', ...Object.fromEntries(times), NAME: '', NOTE: note };
  const seed = {
    ...defaultSeed,
    settings: { execution: 'engine' as const },
    tables: [{ name: 'CUSTOMERS', rows: [row] }],
  };
  await using platform = await startPlatform({ seed });
  await using browser = await openBrowser({ viewport: { width: 1280, height: 800 } });
  const { page, complaints } = browser;
  await page.goto(`${platform.baseUrl}/_platform/tables`);
  await page.getByRole('link', { name: 'dev', exact: true }).click();
  await page.getByRole('link', { name: 'DEV.PUBLIC.CUSTOMERS' }).click();
  await page.getByRole('heading', { level: 2, name: 'DEV.PUBLIC.CUSTOMERS' }).waitFor();
  const lines = `[...document.querySelectorAll('h2 ~ div tbody td > div')]
    .filter((cell) => cell.textContent === '${time}')
    .map((cell) => Math.round(cell.clientHeight / parseFloat(getComputedStyle(cell).lineHeight)))`;
  expect(await page.evaluate<number[]>(lines)).toEqual(times.map(() => 1));
  expect((await appearanceOf(page)).over).toBeLessThanOrEqual(0);

  await page.setViewportSize({ width: phoneWidth, height: 800 });
  const labels = `[...document.querySelectorAll('h2 ~ div tbody :is(th, td)')]
    .filter((cell) => cell.checkVisibility())
    .map((cell) => getComputedStyle(cell, '::before').content)`;
  expect(await page.evaluate<string[]>(labels)).toEqual(Object.keys(row).map((name) => `"${name}"`));
  expect((await appearanceOf(page)).over).toBeLessThanOrEqual(0);
  await expectAccessible(page, 'sample');
  expect(complaints).toEqual([]);
});

test('buttons add faults and move the clock, a filter finds requests, and an open page follows', async () => {
  await using platform = await startPlatform();
  await using browser = await openBrowser();
  const { page, complaints } = browser;
  const text = (selector: string) => page.locator(selector).textContent();
  await page.goto(`${platform.baseUrl}/_platform/faults`);
  await page.getByLabel('Calls to').selectOption('projects.list');
  await page.getByLabel('The platform').selectOption('busy');
  await page.getByRole('button', { name: 'Add the fault' }).click();
  await expect.poll(() => text('#platform-state')).toContain('1 fault');
  const call = () =>
    fetch(`${platform.baseUrl}/v1/projects`, {
      headers: { authorization: `Bearer ${platform.tokens.superAdmin}` },
    });
  expect((await call()).status).toBe(503);
  // The page that is open counts the call.
  await expect.poll(() => page.getByRole('row', { name: /projects\.list at most 1 .* 1 1/ }).count()).toBe(1);
  await page.getByRole('button', { name: 'Remove all faults' }).click();
  await expect.poll(() => text('#platform-state')).not.toContain('fault');

  await page.goto(`${platform.baseUrl}/_platform/clock`);
  await page.getByRole('button', { name: 'Freeze' }).click();
  await expect.poll(() => text('#platform-state')).toContain('clock frozen');
  await page.getByLabel('Forward by').fill('2h');
  await page.getByRole('button', { name: 'Move' }).click();
  await expect.poll(() => text('dl')).toMatch(/frozen[^]* 7\d{3} s/);

  await page.goto(`${platform.baseUrl}/_platform/requests`);
  await page.getByLabel('Answer').selectOption('fault');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.waitForURL(/result=fault/);
  expect(await page.getByRole('row', { name: /projects\.list.*503/ }).count()).toBe(1);
  await page.getByLabel('Method or path').fill('half typed');
  await call();
  await page.getByRole('link', { name: 'Remove the filter' }).click();
  await expect.poll(() => page.getByRole('row', { name: /projects\.list/ }).count()).toBe(2);
  await page.getByLabel('Method or path').fill('half typed');
  await call();
  await expect.poll(() => page.getByRole('row', { name: /projects\.list/ }).count()).toBe(3);
  expect(await page.getByLabel('Method or path').inputValue()).toBe('half typed');
  expect(complaints).toEqual([]);
});

test('the inspector shows a refused request, its reason, and the command to repeat it', async () => {
  await using platform = await busyPlatform();
  await using browser = await openBrowser();
  const { page, complaints } = browser;
  await page.goto(`${platform.baseUrl}/_platform`);
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  await page.getByRole('link', { name: /^variables.create \d/ }).click();
  await page.getByRole('row').getByRole('link', { name: 'variables.create' }).click();
  await expect(page.getByRole('heading', { level: 1 }).textContent()).resolves.toBe('variables.create');
  const reasons = page.getByRole('region', { name: 'Why it was refused' });
  await expect(reasons.textContent()).resolves.toContain('behaviour must not be null');
  await page.getByRole('region', { name: 'curl line' }).click();
  const marked = await page.evaluate<string>('getSelection().toString()');
  expect(marked).toMatch(/^curl -sS -X POST "\$MILLRACE_BASE_URL"/);
  expect(await page.content()).not.toContain('hunter2');
  expect(complaints).toEqual([]);
});

test('the pages say that something goes wrong on purpose, and what', async () => {
  await using platform = await busyPlatform();
  await using browser = await openBrowser();
  const { page } = browser;
  await page.goto(`${platform.baseUrl}/_platform`);
  await expect(page.getByRole('row', { name: /projects\.list.*503.*fault/ }).count()).resolves.toBe(1);
  await page.getByRole('link', { name: '1 fault' }).click();
  await expect(
    page.getByRole('row', { name: /projects\.list at most 1 answers 503 1 1/ }).count(),
  ).resolves.toBe(1);
});

test('a keyboard reaches the page, the lists and every row, and sees where it is', async () => {
  await using platform = await busyPlatform();
  await using browser = await openBrowser();
  const { page } = browser;
  await page.goto(`${platform.baseUrl}/_platform/executions`);
  await page.keyboard.press('Tab');
  await expect(page.evaluate<string>('document.activeElement.textContent')).resolves.toBe('Skip to the page');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const focus = await page.evaluate<object>(`({
    text: document.activeElement.textContent,
    outline: getComputedStyle(document.activeElement).outlineStyle,
  })`);
  expect(focus).toEqual({ text: 'daily/load.orch.yaml', outline: 'solid' });
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/executions\/.+/);
  await expect(page.getByRole('row', { name: /Done end-success/ }).count()).resolves.toBe(1);
});
