import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { type RunningWorker, startWorker } from '../../worker/app/start-worker.ts';
import { testRedis } from '../environment/redis.ts';
import { tokens, withOperators } from '../worker/web/dashboard/operators.ts';
import { eventually } from '../environment/worker/eventually.ts';
import { pushed, release, slow, twoLanes } from '../environment/worker/lanes-at-work.ts';
import {
  type WorkerEnvironment,
  createWorkerEnvironment,
  type WorkerEnvironmentOptions,
} from '../environment/worker/worker-environment.ts';
import { picture, testBrowser } from './dashboard-environment.ts';

const redis = testRedis();
const browser = testBrowser();

/** A worker at work, between a real platform, a real Redis and a GitHub; what goes to prod needs an approval. */
async function createTestEnvironment(
  seed: WorkerEnvironmentOptions['seed'] = {},
): Promise<{ env: WorkerEnvironment; worker: RunningWorker }> {
  const env = await createWorkerEnvironment({ lanes: twoLanes, seed });
  const config = withOperators('\n    gates: { prod: { approvals: 1 } }');
  const options = env.options(redis);
  const settings = { ...options.settings, liveTickMs: 200 };
  const worker = await startWorker({ ...options, settings, config });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  return { env, worker };
}

async function signIn(
  page: Page,
  { url }: RunningWorker,
  token: string,
  path = '/?view=table',
): Promise<void> {
  await page.goto(`${url}${path}`);
  await page.getByLabel('Operator token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const row = (page: Page, lane: string) =>
  page.locator('tr', { has: page.getByRole('link', { name: lane, exact: true }) });
const act = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const confirm = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('a push is seen to travel without a reload, waits for an approval, gets it, and is live', async () => {
  const { env, worker } = await createTestEnvironment();
  const page = await browser.open();
  await signIn(page, worker, 'a wrong one');
  await page.getByText('Invalid token').waitFor();
  await page.getByLabel('Operator token').fill(tokens.ada);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('No promotions yet').waitFor();
  await page.evaluate('window.loadedOnce = true');

  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await row(page, 'to-test').getByText('up to date').waitFor();
  await row(page, 'to-prod').getByText('needs approval').waitFor();
  expect(await page.title()).toBe('(1) Lanes · Millrace');
  expect(await page.evaluate('window.loadedOnce')).toBe(true);
  await picture(page, 'needs-approval');

  await row(page, 'to-prod').getByRole('link', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'Approve: v1.0.0 in to-prod' }).waitFor();
  expect(await env.versions('prod')).toEqual([]);
  await confirm(page, 'Approve');
  await page.getByText('Your approval counts.').waitFor();
  await page.locator('h1', { hasText: 'passed' }).waitFor();
  expect(await env.versions('prod')).toEqual(['v1.0.0']);
  for (const words of ['approved', 'about to promote', 'promoted', 'about to start', 'started'])
    await page.getByRole('cell', { name: words, exact: true }).waitFor();
  await picture(page, 'run-that-passed');

  await act(page, 'Deliveries').click();
  await page.getByText('accepted by 1 of 1 lanes').waitFor();
  await act(page, 'v1.0.0 → prod').waitFor();
  await picture(page, 'deliveries');
  await act(page, 'Audit').click();
  await page.getByRole('cell', { name: 'approve', exact: true }).waitFor();
});

test('a lane is held with a reason and released, a promotion is cancelled and retried, and a viewer only watches', async () => {
  const { env, worker } = await createTestEnvironment(slow(60_000));
  const page = await browser.open();
  const viewer = await browser.open();
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await signIn(page, worker, tokens.ada);
  await signIn(viewer, worker, tokens.vera);
  await row(page, 'to-test').getByText('running daily/load', { exact: false }).first().waitFor();

  await row(page, 'to-test').getByRole('link', { name: 'Cancel' }).click();
  await confirm(page, 'Cancel');
  await page.getByText('The promotion is being cancelled.').waitFor();
  await page.locator('h1', { hasText: 'cancelled' }).waitFor();

  await act(page, 'to-test').click();
  await act(page, 'Hold').click();
  await page.getByLabel('Reason').fill('stock-taking <b>until</b> Monday');
  await confirm(page, 'Hold');
  await page.getByText('The lane is on hold.').waitFor();
  await row(viewer, 'to-test').getByText('stock-taking <b>until</b> Monday').waitFor();
  // Only links to other views of the same page.
  const acts = viewer.locator('main .act:not([href="/"], [href^="/?"]), main form[method=post]');
  expect(await acts.count()).toBe(0);
  await picture(viewer, 'viewer');
  // A held lane takes no retry up.
  await act(page, 'Retry').first().click();
  await confirm(page, 'Retry');
  await page.locator('h1', { hasText: 'queued' }).waitFor();
  await act(page, 'to-test').click();
  await act(page, 'Resume').click();
  await confirm(page, 'Resume');
  await row(viewer, 'to-test').getByText('in progress').waitFor();
  await page.locator('h1', { hasText: 'in progress' }).waitFor();
  // The place of the lane, without what the last answer said.
  const { origin, pathname } = new URL(page.url());
  const refused = await viewer.goto(`${origin}${pathname}/hold`);
  expect(refused?.status()).toBe(403);
});

test('it shows when the worker does not answer, and continues without help', async () => {
  const { worker } = await createTestEnvironment();
  const page = await browser.open();
  await signIn(page, worker, tokens.ada);
  await page.locator('#live-state', { hasText: /^Connected$/ }).waitFor();
  await page.route('**/*', (route) => route.fulfill({ status: 502, body: 'a proxy' }));
  await page.locator('#live-state.lost', { hasText: 'Not connected since' }).waitFor();
  await page.unroute('**/*');
  await page.locator('#live-state:not(.lost)', { hasText: /^Connected$/ }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.locator('#live-state.lost').count()).toBe(0);
});

test('another site cannot send a form, and its links work for a signed-in operator', async () => {
  const { env, worker } = await createTestEnvironment();
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  const page = await browser.open();
  await signIn(page, worker, tokens.ada);
  await row(page, 'to-test').getByText('up to date').waitFor();
  const place = await page.getByRole('link', { name: 'to-test', exact: true }).getAttribute('href');
  const address = `${worker.url}${place ?? ''}`;
  // The same machine by another name is another site.
  const evil = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<a href="${address}">link</a><form method="post" action="${address}/hold">
      <input name="reason" value="x"><button>send</button></form>`);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void evil.close());
  await once(evil, 'listening');
  const elsewhere = `http://localhost:${(evil.address() as AddressInfo).port}/`;
  await page.goto(elsewhere);
  await page.getByRole('button', { name: 'send' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const audit = async () =>
    fetch(`${worker.url}/api/audit`, { headers: { authorization: `Bearer ${tokens.root}` } });
  expect(await (await audit()).json()).toEqual({ next: null, entries: [] });

  await page.goto(elsewhere);
  await page.getByRole('link', { name: 'link' }).click();
  await page.getByRole('heading', { name: 'to-test' }).waitFor();
});

test('all of it works without JavaScript', async () => {
  const { env, worker } = await createTestEnvironment();
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  const page = await browser.open({ javaScriptEnabled: false });
  await signIn(page, worker, tokens.ada);
  await eventually(async () => {
    await page.reload();
    return row(page, 'to-prod').getByText('needs approval').count();
  }).toBe(1);
  await row(page, 'to-prod').getByRole('link', { name: 'Approve' }).click();
  await confirm(page, 'Approve');
  await page.getByText('Your approval counts.').waitFor();
  expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(0);
});

test('an update keeps the focus, the selection and the scroll position, and changes what differs', async () => {
  const { env, worker } = await createTestEnvironment();
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  const page = await browser.open({ viewport: { width: 600, height: 300 } });
  await signIn(page, worker, tokens.ada);
  await row(page, 'to-prod').getByText('needs approval').waitFor();
  await page.evaluate(`{
    const [link] = [...document.querySelectorAll('main a')].filter((one) => one.textContent === 'to-prod');
    link.focus();
    const project = document.querySelector('h2 code');
    getSelection().selectAllChildren(project);
    scrollTo(0, 40);
    window.kept = { link, row: link.closest('tr'), project: project.textContent, scrollY };
  }`);
  const place = await page.getByRole('link', { name: 'to-test', exact: true }).getAttribute('href');
  const headers = { authorization: `Bearer ${tokens.root}`, 'content-type': 'application/json' };
  const hold = { method: 'POST', headers, body: JSON.stringify({ reason: 'stock-taking' }) };
  expect((await fetch(`${worker.url}/api${place ?? ''}/hold`, hold)).status).toBe(200);
  await row(page, 'to-test').getByText('stock-taking').waitFor();
  expect(
    await page.evaluate(`({
      focus: document.activeElement === kept.link,
      row: kept.row.isConnected,
      selection: getSelection().toString() === kept.project && kept.project !== '',
      scroll: scrollY === kept.scrollY && scrollY > 0,
    })`),
  ).toEqual({ focus: true, row: true, selection: true, scroll: true });
});
